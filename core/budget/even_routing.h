// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/numbers.h"
#include "core/count/cost_tree.h"

#include <string>
#include <vector>

namespace flopsmith {

/// The tree under uniform routing: every weight read of routed experts, which the tree counts as
/// the minimum of k experts, becomes that of the expected number of experts
/// (RoutedExperts::expected()), rounded to whole elements.
CostTree<Count> evenlyRouted(CostTree<Count> tree);

/// The tree's routed experts whose number of experts read is uncertain, in its order, each kind
/// once. Empty without experts, and for a single token.
std::vector<RoutedExperts> uncertainReads(const CostTree<Count>& tree);

/// "2 to 6 of 8 experts per layer, 4.625 expected with even routing"; kinds are joined by "; ".
std::string expertReadsText(const std::vector<RoutedExperts>& kinds);

} // namespace flopsmith
