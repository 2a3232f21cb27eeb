// SPDX-License-Identifier: MIT
#include "core/export/torch/tensors/model_stack.h"

#include "core/mixer/attention.h"

#include <map>
#include <string>

namespace flopsmith::torch {
namespace {

const Attention* attentionOf(const Block& block)
{
    return get_if<Attention>(&block.activeMixer());
}

std::string blockText(std::size_t block)
{
    return "blocks[" + std::to_string(block) + "]";
}

Status checkedBlock(const Model& model, const StackedBlock& stacked, std::size_t number)
{
    const Block& block = *stacked.block;
    if (readsSharedTable(block) && stacked.tableOwner < 0) {
        return Error{blockText(number)
                     + " shares a table of relative positions, but no earlier block owns one that "
                       "fits; set position_bias of an earlier block to relative"};
    }
    if (readsSource(block.activeMixer())) {
        return Error{
            blockText(number)
            + " looks at an encoder's output in the place of its mixer; set its cross part"};
    }
    if (block.hasCross() && (!model.hasEncoder() || block.isEncoder())) {
        return Error{blockText(number)
                     + " looks at an encoder's output, but is no decoder block after an encoder"};
    }
    if (block.hasCross() && !readsSource(block.cross)) {
        return Error{blockText(number)
                     + " has a cross part that does not look at an encoder's output"};
    }
    return Done{};
}

} // namespace

bool readsSharedTable(const Block& block)
{
    const Attention* attention = attentionOf(block);
    return attention != nullptr && attention->positionBias == PositionBias::sharedRelative;
}

std::vector<StackedBlock> stackedBlocks(const Model& model)
{
    std::vector<StackedBlock> blocks;
    std::map<int, int> firstOfGroup;
    int table = -1; // the block whose table later blocks read
    for (const BlockRun& run : model.runs) {
        for (int i = 0; i < run.repeat; ++i) {
            const int number = static_cast<int>(blocks.size());
            StackedBlock stacked{.block = &run.block, .owner = number};
            if (run.block.sharesParameters()) {
                stacked.owner = firstOfGroup.emplace(run.block.shareGroup, number).first->second;
            }
            const Attention* attention = attentionOf(run.block);
            if (attention != nullptr && attention->positionBias == PositionBias::relative) {
                table = stacked.owner;
            } else if (readsSharedTable(run.block) && table >= 0) {
                const Attention* owner =
                    attentionOf(*blocks[static_cast<std::size_t>(table)].block);
                const bool fits = owner->heads == attention->heads
                    && owner->relativeBuckets == attention->relativeBuckets;
                stacked.tableOwner = fits ? table : -1;
            }
            blocks.push_back(stacked);
        }
    }
    return blocks;
}

Status checkedStack(const Model& model)
{
    const std::vector<StackedBlock> blocks = stackedBlocks(model);
    bool inDecoder = false;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        inDecoder = inDecoder || !blocks[i].block->isEncoder();
        if (inDecoder && blocks[i].block->isEncoder()) {
            return Error{blockText(i) + " belongs to the encoder, but comes after a decoder block"};
        }
        FLOPSMITH_RETURN_IF_ERROR(checkedBlock(model, blocks[i], i));
    }
    if (model.head.isLm() && model.head.tied && model.embedding.readsPatches()) {
        return Error{"the head is tied to a table of tokens, but the model reads images; untie it"};
    }
    return Done{};
}

} // namespace flopsmith::torch
