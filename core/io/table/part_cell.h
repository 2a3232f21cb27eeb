// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/cost_tree.h"
#include "core/io/table/table.h"

#include <string>

namespace flopsmith {

/// The first cell of a table that has a row per node of a cost tree: the node's path for machines,
/// its indented name for people ("blocks[0..5]" for a run of six). The root is "model" for
/// machines, and the model's name for people.
Cell partCell(const CostTree<Count>& tree, int node, const std::string& modelName);

/// "×12", or nothing for what is used once.
Cell usesCell(Count uses);

} // namespace flopsmith
