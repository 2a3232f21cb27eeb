// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/report.h"
#include "core/share/share_code.h"

#include <string_view>

namespace flopsmith {

/// The share code of a design for paper, with the page that it opens in the window, if any. If the
/// link is too long for a QR code, a sentence replaces it.
ReportBlock shareBlock(const Project& project,
                       std::string_view page = {},
                       std::string_view language = "en");

} // namespace flopsmith
