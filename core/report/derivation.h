// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/reports/cost_report.h"
#include "core/report/report.h"

#include <vector>

namespace flopsmith {

/// How the total comes about, after core/formula's derivation: of each kind of block its lines with
/// their reasons and their sum, of each part outside its formula with numbers put in, then the whole,
/// whose numbers are the values of the parts. A lens that is a formula has the whole alone, and a table
/// of its terms. What would be too long for a page is left out, with a sentence.
std::vector<ReportBlock> derivation(const CostReport& report);

} // namespace flopsmith
