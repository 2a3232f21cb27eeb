// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/lens.h"
#include "core/io/table/table.h"
#include "core/study/compare/comparison.h"

#include <span>

namespace flopsmith {

/// Adds to a cost table a column per design, "against A", behind the shares: how much one use of a
/// part differs from the part in the same place of that design, in per cent of the latter. A place of
/// a block is the run of equal blocks that holds it; without such a part there is a dash, and under a
/// lens that is a formula only the whole model is compared. Missing trees are computed.
void addDifferences(Table& costs, LensId lens, std::span<const ComparedDesign> designs);

} // namespace flopsmith
