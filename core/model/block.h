// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/ffn/ffn.h"
#include "core/layer/norm.h"
#include "core/layer/residual.h"
#include "core/mixer/mixer.h"

#include <string_view>
#include <vector>

namespace flopsmith {

enum class NormPlacement {
    pre, ///< x + f(norm(x))
    post, ///< norm(x + f(x))
    output, ///< x + norm(f(x)) (OLMo-2)
    sandwich, ///< x + norm'(f(norm(x))) (Gemma-2, Gemma-3)
};

template <>
std::vector<std::string_view> enumNames<NormPlacement>();

enum class BlockLayout {
    sequential, ///< the mixer, then the FFN
    parallel, ///< x + mixer(norm(x)) + ffn(norm'(x)) (GPT-J, GPT-NeoX, Falcon, Phi)
};

template <>
std::vector<std::string_view> enumNames<BlockLayout>();

/// Which half of an encoder-decoder a block belongs to. All blocks of other models, including BERT,
/// are decoder blocks; causality is a property of their mixer.
enum class Stack { decoder, encoder };

template <>
std::vector<std::string_view> enumNames<Stack>();

/// One transformer block: token mixer, cross-attention (in the decoder of an encoder-decoder), FFN,
/// each with norms and a residual addition. An absent part has no norms and residual, and neither
/// has a muted one, which keeps its parameters but is not executed and costs nothing.
struct Block
{
    MixerSpec mixer = usualMixer();
    MixerSpec cross; ///< reads the encoder's output (see readsSource())
    FfnSpec ffn = usualFfn();
    NormPlacement placement = NormPlacement::pre;
    Norm norm;
    BlockLayout layout = BlockLayout::sequential;
    bool oneNorm = false; ///< mixer and FFN of a parallel block share one norm (GPT-J, Phi)
    bool residualScale = false; ///< branches are multiplied by a constant before the sum (Granite)
    double residualFactor = kResidualScale; ///< that constant; changes no count
    Stack stack = Stack::decoder;
    /// All blocks of one group are equal and share one set of parameters (ALBERT); 0: the block has
    /// its own.
    int shareGroup = 0;
    bool mixerMuted = false; ///< only a part that is there can be muted
    bool crossMuted = false;
    bool ffnMuted = false;

    bool operator==(const Block&) const = default;

    bool sharesParameters() const { return shareGroup > 0; }
    bool isEncoder() const { return stack == Stack::encoder; }

    /// Whether the block has the part, muted or not.
    bool holdsMixer() const { return !holds_alternative<NoMixer>(mixer); }
    bool holdsCross() const { return !holds_alternative<NoMixer>(cross); }
    bool holdsFfn() const { return !holds_alternative<NoFfn>(ffn); }

    /// Whether the block has the part and executes it.
    bool hasMixer() const { return holdsMixer() && !mixerMuted; }
    bool hasCross() const { return holdsCross() && !crossMuted; }
    bool hasFfn() const { return holdsFfn() && !ffnMuted; }

    bool hasMutedPart() const { return mixerMuted || crossMuted || ffnMuted; }

    /// The executed mixers: NoMixer instead of a muted one.
    const MixerSpec& activeMixer() const { return mixerMuted ? noMixer() : mixer; }
    const MixerSpec& activeCross() const { return crossMuted ? noMixer() : cross; }

    /// Whether mixer and FFN run in parallel; false if the block lacks one of them.
    bool isParallel() const { return layout == BlockLayout::parallel && hasMixer() && hasFfn(); }

    /// The block's own fields: norms and their placement, layout, share group.
    static const std::vector<Field<Block>>& fields();

private:
    static const MixerSpec& noMixer();
    static MixerSpec usualMixer();
    static FfnSpec usualFfn();
};

/// One step through a block.
struct BlockPart
{
    enum class Kind { norm, mixer, cross, ffn, residual };
    Kind kind = Kind::norm;
    std::string_view name; ///< of its node: "mixer_norm", "attention", "ffn"
    Residual residual{}; ///< if the step is a residual addition
};

/// Node names around a mixer or FFN.
struct SublayerNames
{
    std::string_view norm;
    std::string_view secondNorm; ///< after the part, in sandwich placement
    std::string_view residual;
};

/// Visits `part` with its norms and residual addition, in the order of their placement.
template <class Visit>
void forEachSublayerPart(const Block& block,
                         const SublayerNames& names,
                         const BlockPart& part,
                         Visit visit)
{
    const auto visitNorm = [&](std::string_view name) {
        visit(BlockPart{.kind = BlockPart::Kind::norm, .name = name});
    };
    const NormPlacement placement = block.placement;
    if (placement == NormPlacement::pre || placement == NormPlacement::sandwich) {
        visitNorm(names.norm);
    }
    visit(part);
    if (placement == NormPlacement::output) {
        visitNorm(names.norm);
    } else if (placement == NormPlacement::sandwich) {
        visitNorm(names.secondNorm);
    }
    visit(BlockPart{.kind = BlockPart::Kind::residual,
                    .name = names.residual,
                    .residual = {.scale = block.residualScale, .factor = block.residualFactor}});
    if (placement == NormPlacement::post) {
        visitNorm(names.norm);
    }
}

/// Visits norm → mixer, norm → FFN, and one addition of both to the residual stream.
template <class Visit>
void forEachParallelPart(const Block& block,
                         const BlockPart& mixer,
                         const BlockPart& ffn,
                         Visit visit)
{
    visit(BlockPart{.kind = BlockPart::Kind::norm, .name = block.oneNorm ? "norm" : "mixer_norm"});
    visit(mixer);
    if (!block.oneNorm) {
        visit(BlockPart{.kind = BlockPart::Kind::norm, .name = "ffn_norm"});
    }
    visit(ffn);
    visit(BlockPart{
        .kind = BlockPart::Kind::residual,
        .name = "residual",
        .residual = {.branches = 2, .scale = block.residualScale, .factor = block.residualFactor}});
}

/// Calls visit(BlockPart) for everything that the block executes, in that order. The nodes of
/// mixers are named after the variant ("attention"), the FFN's always "ffn".
template <class Visit>
void forEachPart(const Block& block, Visit visit)
{
    const BlockPart mixer{.kind = BlockPart::Kind::mixer, .name = info(block.mixer).id};
    const BlockPart ffn{.kind = BlockPart::Kind::ffn, .name = "ffn"};
    if (block.isParallel()) {
        forEachParallelPart(block, mixer, ffn, visit);
        return;
    }
    if (block.hasMixer()) {
        forEachSublayerPart(
            block, {"mixer_norm", "mixer_output_norm", "mixer_residual"}, mixer, visit);
    }
    if (block.hasCross()) {
        forEachSublayerPart(block,
                            {"cross_norm", "cross_output_norm", "cross_residual"},
                            {.kind = BlockPart::Kind::cross, .name = info(block.cross).id},
                            visit);
    }
    if (block.hasFfn()) {
        forEachSublayerPart(block, {"ffn_norm", "ffn_output_norm", "ffn_residual"}, ffn, visit);
    }
}

/// Adds the block's parts to the tree's open group. Defined in block_cost.h and compiled for Count in
/// model_cost.cpp, for symbols in core/formula.
template <class N>
void addCost(const Block& block, const Pass<N>& pass, CostTree<N>& tree);

} // namespace flopsmith
