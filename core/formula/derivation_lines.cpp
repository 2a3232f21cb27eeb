// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula/derivation_lines.h"

#include "core/count/price_list.h"

#include <algorithm>
#include <string_view>

namespace flopsmith {
namespace {

using Node = CostTree<Count>::Node;

bool isGroup(const Node& node)
{
    return node.kind == OpKind::group;
}

// The nodes from below `around` down to the operation.
std::vector<int> pathBelow(const CostTree<Count>& tree, int operation, int around)
{
    std::vector<int> path;
    for (int at = operation; at > around; at = tree.node(at).parent) {
        path.insert(path.begin(), at);
    }
    return path;
}

bool hasGroups(const CostTree<Count>& tree, int part)
{
    for (int i = part + 1; i < tree.node(part).end; ++i) {
        if (isGroup(tree.node(i))) {
            return true;
        }
    }
    return false;
}

// An operation without kind and part, sorted into its line.
DerivationLine lineInFfn(const CostTree<Count>& tree, const std::vector<int>& path)
{
    const int ffn = path.front();
    if (hasGroups(tree, ffn)) {
        const bool inGroup = path.size() > 2;
        return {.kind = inGroup ? LineKind::ffnGroup : LineKind::ffnJoint,
                .part = inGroup ? path[1] : ffn};
    }
    const bool isProduct = tree.node(path.back()).kind == OpKind::linear;
    return {.kind = isProduct ? LineKind::ffnProducts : LineKind::ffnRest, .part = ffn};
}

DerivationLine lineInMixer(const CostTree<Count>& tree, const std::vector<int>& path)
{
    const OpKind kind = tree.node(path.back()).kind;
    return {.kind = kind == OpKind::linear ? LineKind::projections
                : isAttentionCore(kind)    ? LineKind::scores
                                           : LineKind::mixerRest,
            .part = path.front()};
}

DerivationLine lineInBlock(const CostTree<Count>& tree, int block, int operation)
{
    const std::vector<int> path = pathBelow(tree, operation, block);
    const Node& part = tree.node(path.front());
    if (!isGroup(part)) {
        return {.kind = LineKind::norms, .part = block};
    }
    return part.name == "ffn" ? lineInFfn(tree, path) : lineInMixer(tree, path);
}

// Norms and residual additions come last, whatever their places between the parts.
void putNormsLast(std::vector<DerivationLine>& lines)
{
    std::stable_partition(lines.begin(), lines.end(), [](const DerivationLine& line) {
        return line.kind != LineKind::norms;
    });
}

} // namespace

std::vector<DerivationLine> linesOfBlock(const CostTree<Count>& tree, int block)
{
    std::vector<DerivationLine> lines;
    for (int i = block + 1; i < tree.node(block).end; ++i) {
        if (isGroup(tree.node(i))) {
            continue;
        }
        const DerivationLine wanted = lineInBlock(tree, block, i);
        auto found = std::find_if(lines.begin(), lines.end(), [&](const DerivationLine& line) {
            return line.kind == wanted.kind && line.part == wanted.part;
        });
        if (found == lines.end()) {
            found = lines.insert(lines.end(), wanted);
        }
        found->operations.push_back(i);
    }
    putNormsLast(lines);
    return lines;
}

DerivationLine lineOfPart(const CostTree<Count>& tree, int part)
{
    DerivationLine line{.kind = LineKind::part, .part = part};
    for (int i = part; i < tree.node(part).end; ++i) {
        if (!isGroup(tree.node(i))) {
            line.operations.push_back(i);
        }
    }
    return line;
}

} // namespace flopsmith
