// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/report.h"
#include "core/share/share_code.h"

#include <string_view>

namespace flopsmith {

/// The share code of a design for paper, with the page of the window that it opens, if any. A design
/// whose link is too long for a QR code has a sentence in its place.
ReportBlock shareBlock(const Project& project,
                       std::string_view page = {},
                       std::string_view language = "en");

} // namespace flopsmith
