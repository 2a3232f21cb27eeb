// SPDX-License-Identifier: MIT
#include "core/io/table/part_cell.h"

namespace flopsmith {
namespace {

int depth(const CostTree<Count>& tree, int i)
{
    int levels = 0;
    for (int at = tree.node(i).parent; at > 0; at = tree.node(at).parent) {
        ++levels;
    }
    return levels;
}

// "blocks[0..5]" for a run of six, "attention" for one of its parts.
std::string shownName(const CostTree<Count>::Node& node)
{
    std::string name(node.name);
    if (node.index < 0) {
        return name;
    }
    name += "[" + std::to_string(node.index);
    if (node.repeat > 1) {
        name += ".." + digits(node.index + node.repeat - 1);
    }
    return name + "]";
}

} // namespace

Cell partCell(const CostTree<Count>& tree, int node, const std::string& modelName)
{
    if (node == 0) {
        return {.value = std::string("model"), .shown = modelName};
    }
    return {
        .value = tree.path(node), .shown = shownName(tree.node(node)), .indent = depth(tree, node)};
}

Cell usesCell(Count uses)
{
    Cell cell = Cell::count(uses);
    cell.quantity = Quantity::none; // never in thousands
    cell.shown = uses > 1 ? "\xC3\x97" + digits(uses) : "";
    return cell;
}

} // namespace flopsmith
