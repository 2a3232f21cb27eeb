// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/report/drawn_report.h"

#include <QByteArray>

namespace flopsmith::ui {

/// The report on pages of A4: vector figures, embedded fonts, the report's footer and the page
/// number below. To fit a given number of pages, its type is made smaller, down to a readable size.
/// Needs a QApplication, which may run on the offscreen platform.
QByteArray reportPdf(const DrawnReport& drawn);

} // namespace flopsmith::ui
