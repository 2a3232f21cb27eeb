// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/cost_tree.h"
#include "core/io/table/table.h"

#include <string>

namespace flopsmith {

/// The first cell in a table with a row per node of a cost tree: the node's path for machines, its
/// indented name for people ("blocks[0..5]" for a run of six). The root is "model" for machines,
/// and the model's name for people.
Cell partCell(const CostTree<Count>& tree, int node, const std::string& modelName);

/// "×12", or an empty cell for a single use.
Cell usesCell(Count uses);

} // namespace flopsmith
