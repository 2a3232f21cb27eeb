// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/cost_tree.h"
#include "core/layer/norm_cost.h"
#include "core/layer/residual_cost.h"
#include "core/model/block.h"

namespace flopsmith {

template <class N>
void addCost(const Block& block, const Pass<N>& pass, CostTree<N>& tree)
{
    const auto addMixer = [&](const MixerSpec& mixer) {
        const auto group =
            tree.group(info(mixer).id, *info(mixer).component, -1, N(1), ModelPlace::mixer);
        addCost(mixer, pass, tree);
    };
    forEachPart(block, [&](const BlockPart& part) {
        switch (part.kind) {
        case BlockPart::Kind::norm: addNorm(part.name, block.norm, pass, tree); break;
        case BlockPart::Kind::mixer: addMixer(block.mixer); break;
        case BlockPart::Kind::cross: addMixer(block.cross); break;
        case BlockPart::Kind::ffn: {
            const auto group =
                tree.group("ffn", *info(block.ffn).component, -1, N(1), ModelPlace::ffn);
            addCost(block.ffn, pass, tree);
            break;
        }
        case BlockPart::Kind::residual: addResidual(part.name, pass, tree, part.residual); break;
        }
    });
}

} // namespace flopsmith
