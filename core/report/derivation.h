// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/reports/cost_report.h"
#include "core/report/report.h"

#include <vector>

namespace flopsmith {

/// How the total comes about: for each part of the model that costs something its formula in letters,
/// with numbers put in, and its value; then the same of the whole, whose numbers are the values of the
/// parts. A lens that is a formula has the whole alone, and a table of its terms. What would be too
/// long for a page is left out, with a sentence.
std::vector<ReportBlock> derivation(const CostReport& report);

} // namespace flopsmith
