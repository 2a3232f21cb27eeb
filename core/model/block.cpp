// SPDX-License-Identifier: MIT
#include "core/model/block.h"

namespace flopsmith {
namespace {

constexpr int kMostShareGroups = 64;

// Fields of the block's norm as fields of the block.
Field<Block> ofNorm(const Field<Norm>& field)
{
    return {
        .text = field.text,
        .value = [field](const Block& block) { return field.value(block.norm); },
        .assign = [field](Block& block,
                          const FieldValue& value) { field.assign(block.norm, value); },
        .legal = [field](const Block& block,
                         const FieldContext& context) { return field.legal(block.norm, context); },
        .applies = [field](const Block& block) { return field.applies(block.norm); },
    };
}

} // namespace

template <>
std::vector<std::string_view> enumNames<NormPlacement>()
{
    return {"pre", "post"};
}

const std::vector<Field<Block>>& Block::fields()
{
    static const std::vector<Field<Block>> kFields = [] {
        std::vector<Field<Block>> all{
            choiceField(&Block::placement,
                        {"norm_placement",
                         "",
                         "norm placement",
                         "before the mixer and the FFN, or after their residual additions",
                         ""}),
        };
        for (const Field<Norm>& field : Norm::fields()) {
            all.push_back(ofNorm(field));
        }
        all.push_back(integerField(
            &Block::shareGroup,
            {"share_group",
             "",
             "share group",
             "blocks of one group share one set of parameters and are equal; 0: its own",
             ""},
            [](const Block&, const FieldContext&) {
                return LegalValues::integers(0, kMostShareGroups);
            }));
        return all;
    }();
    return kFields;
}

} // namespace flopsmith
