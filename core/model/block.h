// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/ffn/ffn.h"
#include "core/layer/norm.h"
#include "core/mixer/mixer.h"

#include <string_view>
#include <vector>

namespace flopsmith {

enum class NormPlacement {
    pre, ///< x + f(norm(x))
    post, ///< norm(x + f(x))
};

template <>
std::vector<std::string_view> enumNames<NormPlacement>();

/// One transformer block: token mixer, then FFN, each with a norm and a residual addition. Either
/// may be absent, and then its norm and residual are too.
struct Block
{
    MixerSpec mixer = Attention{};
    FfnSpec ffn = DenseFfn{};
    NormPlacement placement = NormPlacement::pre;
    Norm norm;
    /// Blocks of one group, wherever they stand, are equal and own one set of parameters (ALBERT);
    /// 0: the block has its own.
    int shareGroup = 0;

    bool operator==(const Block&) const = default;

    bool sharesParameters() const { return shareGroup > 0; }

    bool hasMixer() const { return !std::holds_alternative<NoMixer>(mixer); }
    bool hasFfn() const { return !std::holds_alternative<NoFfn>(ffn); }

    /// Of the block itself: norms and their placement, and whom it shares its parameters with.
    static const std::vector<Field<Block>>& fields();
};

/// norm → f → ⊕, or f → ⊕ → norm, around `addInner`.
template <class N, class AddInner>
void addSublayer(const Block& block,
                 std::string_view normName,
                 std::string_view residualName,
                 const Pass<N>& pass,
                 CostTree<N>& tree,
                 AddInner addInner)
{
    if (block.placement == NormPlacement::pre) {
        addNorm(normName, block.norm, pass, tree);
    }
    addInner();
    addResidual(residualName, pass, tree);
    if (block.placement == NormPlacement::post) {
        addNorm(normName, block.norm, pass, tree);
    }
}

/// Adds the block's parts to the tree's open group: the mixer's group is named after the variant
/// ("attention"), the FFN's group is always "ffn".
template <class N>
void addCost(const Block& block, const Pass<N>& pass, CostTree<N>& tree)
{
    if (block.hasMixer()) {
        addSublayer(block, "mixer_norm", "mixer_residual", pass, tree, [&] {
            const VariantInfo& mixer = info(block.mixer);
            const auto group = tree.group(mixer.id, *mixer.component);
            addCost(block.mixer, pass, tree);
        });
    }
    if (block.hasFfn()) {
        addSublayer(block, "ffn_norm", "ffn_residual", pass, tree, [&] {
            const auto group = tree.group("ffn", *info(block.ffn).component);
            addCost(block.ffn, pass, tree);
        });
    }
}

} // namespace flopsmith
