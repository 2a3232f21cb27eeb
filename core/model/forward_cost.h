// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/cost_tree.h"
#include "core/layer/embedding_cost.h"
#include "core/layer/head_cost.h"
#include "core/layer/norm_cost.h"
#include "core/model/model.h"
#include "core/model/model_passes.h"

#include <cstddef>
#include <string_view>

// The forward pass of a model.
namespace flopsmith {

/// Adds a run of equal blocks as "blocks[firstBlock]". Shared parameters are counted once, before
/// the group's first block, as "shared_parameters[group]"; its blocks count none. Weights are read
/// once per use, because a block exceeds the caches.
template <class N>
void addRun(const Model& model, int index, int firstBlock, const Pass<N>& pass, CostTree<N>& tree)
{
    const BlockRun& run = model.runs[static_cast<std::size_t>(index)];
    const bool shared = run.block.sharesParameters();
    if (shared && !model.ownsNoParameters(index)) {
        const int first = tree.size();
        const auto group = tree.group(
            "shared_parameters", kNormComponent, run.block.shareGroup, N(1), ModelPlace::stored);
        addCost(run.block, pass, tree);
        tree.keepOnly(CostTree<N>::Keep::parameters, first);
    }
    const int first = tree.size();
    const auto group =
        tree.group("blocks", kNormComponent, firstBlock, pass.numbers("L", run.repeat, "blocks"));
    addCost(run.block, pass, tree);
    if (shared) {
        tree.keepOnly(CostTree<N>::Keep::allButParameters, first);
    }
}

/// Adds the runs of one half.
template <class N>
void addRuns(const Model& model, Stack half, const Pass<N>& pass, CostTree<N>& tree)
{
    int firstBlock = 0;
    for (std::size_t i = 0; i < model.runs.size(); ++i) {
        if (model.runs[i].block.stack == half) {
            addRun(model, static_cast<int>(i), firstBlock, pass, tree);
        }
        firstBlock += model.runs[i].repeat;
    }
}

/// Adds "embedding" and, after an encoder, "decoder_embedding": look-ups in the same tables for the
/// decoder's tokens. Parameters are counted with the first.
template <class N>
void addEmbedding(const Model& model, std::string_view name, const Pass<N>& pass, CostTree<N>& tree)
{
    const auto group = tree.group(name, kEmbeddingComponent, -1, N(1), ModelPlace::embedding);
    addCost(model.embedding, pass, tree);
}

/// The encoder: embedding of the source's tokens, its blocks, its norm. Then the decoder's
/// embedding.
template <class N>
void addEncoder(const Model& model, const ModelPasses<N>& passes, CostTree<N>& tree)
{
    const int first = tree.size();
    addEmbedding(model, "embedding", passes.encoder, tree);
    addRuns(model, Stack::encoder, passes.encoder, tree);
    addNorm("encoder_norm", model.encoderNorm, passes.encoder, tree);
    if (!passes.executesEncoder) {
        tree.keepOnly(CostTree<N>::Keep::parameters, first);
    }
    const int second = tree.size();
    addEmbedding(model, "decoder_embedding", passes.decoder, tree);
    tree.keepOnly(CostTree<N>::Keep::allButParameters, second);
}

/// Adds to the open group: embedding, blocks[i] (a node per run), final norm, head and perhaps a
/// pooler; in an encoder-decoder the encoder first (see addEncoder()).
template <class N>
void addParts(const Model& model, const ModelPasses<N>& passes, CostTree<N>& tree)
{
    if (model.hasEncoder()) {
        addEncoder(model, passes, tree);
    } else {
        addEmbedding(model, "embedding", passes.decoder, tree);
    }
    addRuns(model, Stack::decoder, passes.decoder, tree);
    addNorm("final_norm", model.finalNorm, passes.decoder, tree);
    if (model.head.kind != HeadKind::none) {
        const auto group = tree.group("head", kHeadComponent, -1, N(1), ModelPlace::head);
        addCost(model.head, model.logitTable(), passes.decoder, tree);
    }
    addUnreadPooler(model.head, passes.decoder, tree);
}

/// Adds the whole model as a tree of its own.
template <class N>
void addCost(const Model& model, const ModelPasses<N>& passes, CostTree<N>& tree)
{
    const auto root = tree.group("model", kNormComponent);
    addParts(model, passes, tree);
}

} // namespace flopsmith
