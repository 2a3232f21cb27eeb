// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/cost_tree.h"
#include "core/layer/embedding_cost.h"
#include "core/layer/head_cost.h"
#include "core/layer/norm_cost.h"
#include "core/layer/residual_cost.h"
#include "core/model/model.h"
#include "core/model/model_passes.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

// The backward pass of a model, with the same structure as the forward pass (forward_cost.h).
namespace flopsmith {

/// The backward pass of a block's parts, in the order and under the names of the forward pass. A
/// residual addition costs the same both ways.
template <class N>
void addBackwardCost(const Block& block, const Pass<N>& pass, CostTree<N>& tree)
{
    const auto addMixer = [&](const MixerSpec& mixer) {
        const auto group = tree.group(info(mixer).id, *info(mixer).component);
        addBackwardCost(mixer, pass, tree);
    };
    forEachPart(block, [&](const BlockPart& part) {
        switch (part.kind) {
        case BlockPart::Kind::norm: addNormBackward(part.name, block.norm, pass, tree); break;
        case BlockPart::Kind::mixer: addMixer(block.mixer); break;
        case BlockPart::Kind::cross: addMixer(block.cross); break;
        case BlockPart::Kind::ffn: {
            const auto group = tree.group("ffn", *info(block.ffn).component);
            addBackwardCost(block.ffn, pass, tree);
            break;
        }
        case BlockPart::Kind::residual: addResidual(part.name, pass, tree, part.residual); break;
        }
    });
}

/// Opens "blocks[i]" for every run of one half and lets addBlock(block, pass) fill it.
template <class N, class AddBlock>
void forEachRun(const Model& model,
                Stack half,
                const ModelPasses<N>& passes,
                CostTree<N>& tree,
                AddBlock addBlock)
{
    int firstBlock = 0;
    for (const BlockRun& run : model.runs) {
        if (run.block.stack == half) {
            const Pass<N>& pass = passOf(run.block, passes);
            const auto group = tree.group(
                "blocks", kNormComponent, firstBlock, pass.numbers("L", run.repeat, "blocks"));
            addBlock(run.block, pass);
        }
        firstBlock += run.repeat;
    }
}

/// Number of blocks in the runs for which `counts` is true.
template <class N, class Counts>
N blocksThat(const Model& model, const Pass<N>& pass, Counts counts)
{
    N sum{0};
    for (const BlockRun& run : model.runs) {
        if (counts(run.block)) {
            sum += pass.numbers("L", run.repeat, "blocks");
        }
    }
    return sum;
}

/// Adding n gradients to others: both are read, the sum is written.
template <class N>
Cost<N> addedGradients(const N& n)
{
    return {.count = {.add = n}, .traffic = {.gradients = N(3) * n}};
}

/// Adds "shared_gradients[group]" for each share group: every use of the shared parameters has its
/// own gradient, and all but the first accumulate: (uses − 1)·P additions.
template <class N>
void addSharedGradients(const Model& model, const ModelPasses<N>& passes, CostTree<N>& tree)
{
    for (std::size_t i = 0; i < model.runs.size(); ++i) {
        const Block& block = model.runs[i].block;
        if (!block.sharesParameters() || model.ownsNoParameters(static_cast<int>(i))) {
            continue;
        }
        const Pass<N>& pass = passOf(block, passes);
        const N uses = blocksThat(
            model, pass, [&](const Block& other) { return other.shareGroup == block.shareGroup; });
        CostTree<N> alone;
        {
            const auto group = alone.group("block", kNormComponent);
            addCost(block, pass, alone);
        }
        const N n = (uses - N(1)) * alone.total().parameters.trainable;
        const auto group = tree.group("shared_gradients", kNormComponent, block.shareGroup);
        tree.operation("sum", OpKind::elementwise, n, addedGradients(n));
    }
}

/// The gradient of the encoder's output: one from every block that reads it; all but the first
/// accumulate.
template <class N>
void addSourceGradients(const Model& model, const ModelPasses<N>& passes, CostTree<N>& tree)
{
    const auto looks = [](const Block& block) { return block.hasCross(); };
    if (std::none_of(model.runs.begin(), model.runs.end(), [&](const BlockRun& run) {
            return looks(run.block);
        })) {
        return;
    }
    const N uses = blocksThat(model, passes.decoder, looks);
    const N n = (uses - N(1)) * passes.encoder.tokens() * passes.encoder.dModel;
    tree.operation("source_gradients",
                   OpKind::elementwise,
                   n,
                   {.count = {.add = n}, .traffic = {.read = N(2) * n, .written = n}},
                   &kNormComponent);
}

/// The backward pass of an embedding. If a table already has a gradient (from a tied head or the
/// encoder's embedding), only the rows of these tokens are read and written again; second gradients
/// of norm and projection accumulate as "shared_gradients".
enum class Gradients { first, tableIsThere, allAreThere };
template <class N>
void addEmbeddingBackward(const Model& model,
                          std::string_view name,
                          Gradients there,
                          const Pass<N>& pass,
                          CostTree<N>& tree)
{
    const auto group = tree.group(name, kEmbeddingComponent);
    const int first = tree.size();
    addBackwardCost(model.embedding, pass, tree);
    N others{0};
    tree.changeFrom(first, [&](auto& node) {
        N& gradients = node.cost.traffic.gradients;
        const bool isThere = there == Gradients::allAreThere
            || (there == Gradients::tableIsThere && node.name == "tokens");
        if (node.kind != OpKind::lookup) {
            others += gradients;
        } else if (isThere) {
            gradients = N(2) * node.elements;
        }
    });
    const Embedding& embedding = model.embedding;
    if (there == Gradients::allAreThere
        && (embedding.norm.kind != NormKind::none || embedding.projects())) {
        tree.operation("shared_gradients", OpKind::elementwise, others, addedGradients(others));
    }
}

/// The backward pass of the encoder and of the decoder's embedding.
template <class N>
void addEncoderBackward(const Model& model,
                        Gradients ofTable,
                        const ModelPasses<N>& passes,
                        CostTree<N>& tree)
{
    addEmbeddingBackward(model, "embedding", ofTable, passes.encoder, tree);
    forEachRun(model, Stack::encoder, passes, tree, [&](const Block& block, const Pass<N>& pass) {
        addBackwardCost(block, pass, tree);
    });
    addNormBackward("encoder_norm", model.encoderNorm, passes.encoder, tree);
    addSourceGradients(model, passes, tree);
    addEmbeddingBackward(model, "decoder_embedding", Gradients::allAreThere, passes.decoder, tree);
}

/// The backward pass of the whole model, in the order and under the names of the forward pass.
template <class N>
void addBackwardParts(const Model& model, const ModelPasses<N>& passes, CostTree<N>& tree)
{
    const bool tied = model.head.sharesTable();
    const Gradients ofTable = tied ? Gradients::tableIsThere : Gradients::first;
    if (model.hasEncoder()) {
        addEncoderBackward(model, ofTable, passes, tree);
    } else {
        addEmbeddingBackward(model, "embedding", ofTable, passes.decoder, tree);
    }
    forEachRun(model, Stack::decoder, passes, tree, [&](const Block& block, const Pass<N>& pass) {
        addBackwardCost(block, pass, tree);
    });
    addSharedGradients(model, passes, tree);
    addNormBackward("final_norm", model.finalNorm, passes.decoder, tree);
    if (model.head.kind != HeadKind::none) {
        const auto group = tree.group("head", kHeadComponent);
        addBackwardCost(model.head, model.logitTable(), passes.decoder, tree);
    }
}

} // namespace flopsmith
