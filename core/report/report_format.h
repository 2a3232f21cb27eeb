// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace flopsmith {

enum class ReportFormat { pdf, html, markdown, latex };

/// By the suffix of a file: .pdf, .html, .htm, .md or .tex; otherwise an Error that lists these.
Result<ReportFormat> reportFormatOf(const std::string& file);

/// By the name of the format: pdf, html, md or tex; otherwise an Error that lists these.
Result<ReportFormat> reportFormatNamed(std::string_view name);

/// The folder beside a report for its figures: "r-figures" for "docs/r.tex". Its name contains no
/// character with a meaning in LaTeX, Markdown or a shell.
std::string figureFolderOf(const std::string& file);

} // namespace flopsmith
