// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

#include <QString>

QT_BEGIN_NAMESPACE
class QMenu;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// "16 bit", or where they differ as papers write it: "W4A16", with another cache "W4A16KV8".
QString shortPrecision(const Precision& precision);

/// The usual precisions, each as one step of the document, and the way to all of their bits.
void fillPrecisionMenu(QMenu& menu, Document& document);

} // namespace flopsmith::ui
