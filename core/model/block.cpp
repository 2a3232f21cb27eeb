// SPDX-License-Identifier: MIT
#include "core/model/block.h"

#include "core/ffn/dense.h"
#include "core/mixer/attention.h"

namespace flopsmith {
namespace {

constexpr int kMaxShareGroups = 64;

// Turns a field of the block's norm into a field of the block.
Field<Block> ofNorm(const Field<Norm>& field)
{
    return {
        .text = field.text,
        .value = [field](const Block& block) { return field.value(block.norm); },
        .assign = [field](Block& block,
                          const FieldValue& value) { field.assign(block.norm, value); },
        .legal = {[field](const Block& block, const FieldContext& context) {
                      return field.legal(block.norm, context);
                  },
                  field.legal.holdsAlways()},
        .applies = [field](const Block& block) { return field.applies(block.norm); },
    };
}

} // namespace

template <>
std::vector<std::string_view> enumNames<NormPlacement>()
{
    return {"pre", "post", "output", "sandwich"};
}

template <>
std::vector<std::string_view> enumNames<BlockLayout>()
{
    return {"sequential", "parallel"};
}

template <>
std::vector<std::string_view> enumNames<Stack>()
{
    return {"decoder", "encoder"};
}

namespace {

// Whether mixer and FFN run in parallel when nothing is muted; the rules must keep that possible.
bool isLaidOutParallel(const Block& block)
{
    return block.layout == BlockLayout::parallel && block.holdsMixer() && block.holdsFfn();
}

// Parallel blocks have norms only before mixer and FFN.
Field<Block> placementField()
{
    Field<Block> field =
        choiceField(&Block::placement,
                    {"norm_placement",
                     "",
                     "norm placement",
                     "before mixer and FFN, after their residual additions, on their outputs, or "
                     "before and on the outputs (sandwich)",
                     ""});
    field.legal = [](const Block& block, const FieldContext&) {
        return isLaidOutParallel(block) ? LegalValues::choices({enumName(NormPlacement::pre)})
                                        : LegalValues::choices(enumNames<NormPlacement>());
    };
    return field;
}

// Cross-attention reads the mixer's output, so such blocks are sequential.
Field<Block> layoutField()
{
    Field<Block> field =
        choiceField(&Block::layout,
                    {"layout", "", "layout", "the FFN after the mixer, or both side by side", ""});
    field.legal = [](const Block& block, const FieldContext&) {
        return block.holdsCross() ? LegalValues::choices({enumName(BlockLayout::sequential)})
                                  : LegalValues::choices(enumNames<BlockLayout>());
    };
    return field;
}

std::vector<Field<Block>> normFields()
{
    std::vector<Field<Block>> all{placementField()};
    for (const Field<Norm>& field : Norm::fields()) {
        all.push_back(ofNorm(field));
    }
    return all;
}

std::vector<Field<Block>> structureFields()
{
    return {
        layoutField(),
        onlyIf(flagField(&Block::oneNorm,
                         {"one_norm", "", "one norm", "mixer and FFN read the same norm", ""}),
               isLaidOutParallel),
        flagField(&Block::residualScale,
                  {"residual_scale",
                   "",
                   "residual scale",
                   "what is added to the residual stream is multiplied by a constant",
                   ""}),
        choiceField(&Block::stack,
                    {"stack",
                     "",
                     "stack",
                     "the half of an encoder-decoder that the block belongs to; a model of one "
                     "half has decoder blocks alone",
                     ""}),
        integerField(&Block::shareGroup,
                     {"share_group",
                      "",
                      "share group",
                      "blocks of one group share one set of parameters and are equal; 0: its own",
                      ""},
                     [](const Block&, const FieldContext&) {
                         return LegalValues::integers(0, kMaxShareGroups);
                     }),
    };
}

} // namespace

const MixerSpec& Block::noMixer()
{
    static const MixerSpec kNone;
    return kNone;
}

MixerSpec Block::usualMixer()
{
    return Attention{};
}

FfnSpec Block::usualFfn()
{
    return DenseFfn{};
}

const std::vector<Field<Block>>& Block::fields()
{
    static const std::vector<Field<Block>> kFields = [] {
        std::vector<Field<Block>> all = normFields();
        for (const Field<Block>& field : structureFields()) {
            all.push_back(field);
        }
        return all;
    }();
    return kFields;
}

} // namespace flopsmith
