// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/cost_tree.h"

#include <string>
#include <string_view>
#include <vector>

// Paths of a cost tree: "blocks[3]/ffn/c_fc", empty for the whole model. In a training step they
// begin with the pass: "backward/blocks[3]/ffn/c_fc".

namespace flopsmith {

/// The path without its pass.
std::string_view withoutPass(std::string_view path);

/// The path without its last segment; empty at the top.
std::string_view parentPath(std::string_view path);

/// Whether a part is `whole` or inside it, in any pass. The empty path contains everything.
bool isWithin(std::string_view path, std::string_view whole);

/// The node at the path, or -1.
int nodeAt(const CostTree<Count>& tree, std::string_view path);

/// The path if the tree has it in this pass or another; otherwise the path of the nearest part
/// around it.
std::string nearestPath(const CostTree<Count>& tree, std::string_view path);

/// The components of all operations at or below the node, each once.
std::vector<const Component*> componentsBelow(const CostTree<Count>& tree, int node);

/// The outermost part at or below `inside` whose operations all belong to the component; if there
/// is none, of the whole tree. Empty if the component has no operations.
std::string pathOfComponent(const CostTree<Count>& tree,
                            std::string_view componentId,
                            std::string_view inside = {});

} // namespace flopsmith
