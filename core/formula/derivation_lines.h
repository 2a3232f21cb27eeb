// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/count/cost_tree.h"

#include <vector>

namespace flopsmith {

/// The kinds of operations of a line of a derivation.
enum class LineKind {
    projections, ///< the matrices of a mixer
    scores, ///< queries times keys, and weights times values
    mixerRest, ///< softmax, rotation, norms of queries and keys
    ffnProducts, ///< the matrices of an FFN
    ffnRest, ///< its activation
    ffnGroup, ///< all of a group of operations in an FFN: the experts, a stage of a composition
    ffnJoint, ///< operations of an FFN outside of its groups: routing, combining
    norms, ///< norms and residual additions between the parts of a block
    part, ///< all of a part of the model outside of its blocks
};

/// Operations that form one line of a derivation.
struct DerivationLine
{
    LineKind kind = LineKind::part;
    int part = 0; ///< the node around them: the mixer, a group in the FFN, the block for its norms
    std::vector<int> operations{}; ///< nodes in the order of the tree

    bool operator==(const DerivationLine&) const = default;
};

/// The lines of a node with the name "blocks": every operation below it is in exactly one. Symbolic
/// and numeric trees of a scenario have the same nodes.
std::vector<DerivationLine> linesOfBlock(const CostTree<Count>& tree, int block);

/// All operations below a node, or the node itself if it is one, as one line.
DerivationLine lineOfPart(const CostTree<Count>& tree, int part);

/// How often an operation is executed in one execution of a node around it.
template <class N>
N timesWithin(const CostTree<N>& tree, int operation, int around)
{
    N times{1};
    for (int at = operation; at > around; at = tree.node(at).parent) {
        times = times * tree.node(at).repeat;
    }
    return times;
}

} // namespace flopsmith
