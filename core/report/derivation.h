// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/reports/cost_report.h"
#include "core/report/report.h"

#include <vector>

namespace flopsmith {

/// The derivation of the total, from core/formula's: for each kind of block its lines with reasons
/// and their sum, for each part outside its formula with numbers substituted, then the whole, whose
/// numbers are the parts' values. A lens that is a formula has only the whole, and a table of its
/// terms. Parts that would be too long for a page are replaced by a sentence.
std::vector<ReportBlock> derivation(const CostReport& report);

} // namespace flopsmith
