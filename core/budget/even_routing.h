// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/numbers.h"
#include "core/count/cost_tree.h"

#include <string>
#include <vector>

namespace flopsmith {

/// The tree as if every expert were equally probable: where it holds the least that is read, the
/// weights of k experts, this one holds those of the expected number (RoutedExperts::expected()),
/// rounded to whole elements.
CostTree<Count> evenlyRouted(CostTree<Count> tree);

/// The tree's kinds of routed experts that may read different numbers of experts, in its order, each
/// once. Empty without experts, and for a single token.
std::vector<RoutedExperts> uncertainReads(const CostTree<Count>& tree);

/// "2 to 6 of 8 experts per layer, 4.625 expected with even routing"; kinds are joined by "; ".
std::string expertReadsText(const std::vector<RoutedExperts>& kinds);

} // namespace flopsmith
