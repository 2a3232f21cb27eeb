// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/cost_tree.h"

#include <string>
#include <string_view>
#include <vector>

// The parts of a model as lessons name them.
namespace flopsmith {

/// Numbers of nodes of a cost tree, ascending.
using NodeList = std::vector<int>;

/// The operations that a name matches, each once: a path whose indices and pass may be left out
/// ("blocks/ffn" matches all blocks), "attention", "projections" and "scores" (attention's
/// operations between its projections), "ffn", "head", "embedding", "norms", or the id of a
/// component. Empty if there are none.
NodeList operationsNamed(const CostTree<Count>& tree, std::string_view name);

/// The possible names, for messages: "attention, ffn, …, blocks[0]/ffn, …".
std::string partNames(const CostTree<Count>& tree);

/// The outermost node that such a name matches, as a path to select; empty if there is none.
std::string pathMeant(const CostTree<Count>& tree, std::string_view name);

} // namespace flopsmith
