// SPDX-License-Identifier: MIT
#include "core/export/torch/tensors/tensor_names.h"

#include "core/export/torch/tensors/model_stack.h"
#include "core/export/torch/tensors/tensor_rules.h"
#include "core/mixer/attention.h"

#include <algorithm>

namespace flopsmith::torch {

TorchTensors torchTensors(const Norm& norm, int dModel)
{
    TorchTensors stored;
    const WeightShapes shapes = weights(norm, dModel);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        stored.tensors.push_back(plainTensor(shapes[i], i));
    }
    return stored;
}

namespace {

bool isNormWeight(const WeightShape& shape)
{
    return shape.name == "gamma" || shape.name == "beta";
}

// The weights of a norm inside a part.
TorchTensor innerNorm(const WeightShape& shape, std::size_t index)
{
    TorchTensor tensor = plainTensor(shape, index);
    tensor.name.insert(0, "norm.");
    return tensor;
}

TorchTensor embeddingTensor(const Embedding& embedding, const WeightShape& shape, std::size_t index)
{
    if (isNormWeight(shape)) {
        return innerNorm(shape, index);
    }
    if (shape.name == "patches.weight") {
        TorchTensor patches = plainTensor(shape, index);
        patches.shape = {
            shape.columns, embedding.channels, embedding.patchSize, embedding.patchSize};
        return patches;
    }
    if (shape.name == "tokens" || shape.name == "token_types"
        || (shape.name == "positions" && !embedding.readsPatches())) {
        return {shape.name + ".weight", index, false, {shape.rows, shape.columns}};
    }
    if (shape.name == "positions" || shape.name == "extra_tokens") {
        return {shape.name, index, false, {shape.rows, shape.columns}};
    }
    return plainTensor(shape, index);
}

} // namespace

TorchTensors torchTensors(const Embedding& embedding, int dModel)
{
    TorchTensors stored;
    const WeightShapes shapes = weights(embedding, dModel);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        stored.tensors.push_back(embeddingTensor(embedding, shapes[i], i));
    }
    return stored;
}

TorchTensors torchTensors(const MixerSpec& mixer, int dModel)
{
    TorchTensors stored;
    const auto* attention = get_if<Attention>(&mixer);
    const WeightShapes shapes = weights(mixer, dModel);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        TorchTensor tensor = plainTensor(shapes[i], i);
        if (tensor.name == "relative_bias") {
            if (attention->positionBias == PositionBias::sharedRelative) {
                continue;
            }
            tensor = {"relative_bias.weight", i, false, {shapes[i].rows, shapes[i].columns}};
        } else if (tensor.name == "conv.weight") { // each channel is convolved alone
            tensor.shape.insert(tensor.shape.begin() + 1, 1);
        } else if (tensor.name == "q_norm" || tensor.name == "kv_norm") { // of latent attention
            tensor.name += ".weight";
        }
        stored.tensors.push_back(std::move(tensor));
    }
    return stored;
}

TorchTensors torchTensors(const Head& head, int dModel, const TokenTable& table)
{
    TorchTensors stored;
    const WeightShapes shapes = weights(head.computed(), dModel, table);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        TorchTensor tensor =
            isNormWeight(shapes[i]) ? innerNorm(shapes[i], i) : plainTensor(shapes[i], i);
        if (tensor.name == "logits.weight") { // stored as the embedding's table is
            if (head.tied) {
                continue;
            }
            tensor = {tensor.name, i, false, {shapes[i].rows, shapes[i].columns}};
        }
        stored.tensors.push_back(std::move(tensor));
    }
    return stored;
}

namespace {

class PartList
{
public:
    void add(const std::string& path, const std::string& prefix, TorchTensors stored)
    {
        if (!stored.tensors.empty() || !stored.buffers.empty()) {
            m_parts.push_back({path, prefix, std::move(stored)});
        }
    }

    void addBlock(const Block& block, int number, int dModel)
    {
        forEachPart(block, [&](const BlockPart& part) {
            const std::string index = std::to_string(number);
            const std::string name(part.name);
            add("blocks[" + index + "]/" + name,
                "blocks." + index + "." + name + ".",
                storedBy(block, part, dModel));
        });
    }

    std::vector<TorchPart> take() { return std::move(m_parts); }

private:
    static TorchTensors storedBy(const Block& block, const BlockPart& part, int dModel)
    {
        switch (part.kind) {
        case BlockPart::Kind::norm: return torchTensors(block.norm, dModel);
        case BlockPart::Kind::mixer: return torchTensors(block.mixer, dModel);
        case BlockPart::Kind::cross: return torchTensors(block.cross, dModel);
        case BlockPart::Kind::ffn: return torchTensors(block.ffn, dModel);
        case BlockPart::Kind::residual: break;
        }
        return {};
    }

    std::vector<TorchPart> m_parts;
};

} // namespace

std::vector<TorchPart> torchParts(const Model& model)
{
    PartList parts;
    const int d = model.dModel;
    const std::vector<StackedBlock> blocks = stackedBlocks(model);
    const auto addBlocks = [&](Stack half) {
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            const int number = static_cast<int>(i);
            if (blocks[i].block->stack == half && blocks[i].owner == number) {
                parts.addBlock(*blocks[i].block, number, d);
            }
        }
    };
    parts.add("embedding", "embedding.", torchTensors(model.embedding, d));
    if (model.hasEncoder()) {
        addBlocks(Stack::encoder);
        parts.add("encoder_norm", "encoder_norm.", torchTensors(model.encoderNorm, d));
    }
    addBlocks(Stack::decoder);
    parts.add("final_norm", "final_norm.", torchTensors(model.finalNorm, d));
    parts.add("head", "head.", torchTensors(model.head.computed(), d, model.logitTable()));
    if (model.head.hasUnreadPooler()) {
        parts.add("pooler", "pooler.", torchTensors(Head::pooler(), d, model.tokenTable()));
    }
    return parts.take();
}

std::vector<std::pair<std::string, std::string>> tiedTensors(const Model& model)
{
    std::vector<std::pair<std::string, std::string>> tied;
    const std::vector<StackedBlock> blocks = stackedBlocks(model);
    const auto tableOf = [](int block) {
        return "blocks." + std::to_string(block) + ".attention.relative_bias.weight";
    };
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const int number = static_cast<int>(i);
        if (blocks[i].owner == number && blocks[i].tableOwner >= 0) {
            tied.emplace_back(tableOf(number), tableOf(blocks[i].tableOwner));
        }
    }
    if (model.head.sharesTable()) {
        tied.emplace_back("head.logits.weight", "embedding.tokens.weight");
    }
    return tied;
}

} // namespace flopsmith::torch
