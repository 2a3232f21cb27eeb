// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/report/report.h"
#include "core/report/report_format.h"

#include <QString>

#include <string>

namespace flopsmith::ui {

/// Writes the report to the file. PDF and HTML contain their figures; the figures of Markdown (SVG)
/// and LaTeX (PDF) are in figureFolderOf(file) beside it. Every file appears when it is complete,
/// the report itself last. Needs a QApplication.
Status writeReport(Report report, ReportFormat format, const std::string& file);

/// For file dialogs: "PDF document (*.pdf);;HTML page …".
QString reportFilter();

} // namespace flopsmith::ui
