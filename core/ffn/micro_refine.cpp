// SPDX-License-Identifier: MIT
#include "core/ffn/micro_refine.h"

#include <algorithm>

namespace flopsmith {
namespace {

constexpr Component kMicroRefineComponent{"micro_refine", "Micro-refine", 0x56B4E9, Hatch::dots};

} // namespace

template <>
std::vector<std::string_view> enumNames<MicroRefineMode>()
{
    return {"groups", "iterative"};
}

int MicroRefineFfn::groupStart(int group, int dModel) const
{
    return static_cast<int>(std::int64_t{dModel} * group / steps);
}

int MicroRefineFfn::keptChannels(int dModel) const
{
    if (mode == MicroRefineMode::iterative) {
        return kept(keepRatio, dModel);
    }
    int sum = 0;
    for (int group = 0; group < steps; ++group) {
        sum += kept(keepRatio, groupStart(group + 1, dModel) - groupStart(group, dModel));
    }
    return sum;
}

std::vector<int> MicroRefineFfn::fixedList(int dModel) const
{
    if (mode == MicroRefineMode::iterative) {
        return fixedChannels(seed, kept(keepRatio, dModel), dModel);
    }
    std::vector<int> list;
    for (int group = 0; group < steps; ++group) {
        const int start = groupStart(group, dModel);
        const int size = groupStart(group + 1, dModel) - start;
        for (const int channel : fixedChannels(seed + group, kept(keepRatio, size), size)) {
            list.push_back(start + channel);
        }
    }
    return list;
}

const VariantInfo& MicroRefineFfn::info()
{
    static constexpr VariantInfo kInfo{
        "micro_refine",
        "Micro-refine",
        "\xCE\xB2\xC2\xB7tanh(\xCE\xB3\xC2\xB7x + \xCE\xB4) on kept channels",
        "Splits the channels into groups and bends only the strongest of each with a small learned "
        "tanh. A few operations per kept channel.",
        &kMicroRefineComponent};
    return kInfo;
}

const std::vector<Field<MicroRefineFfn>>& MicroRefineFfn::fields()
{
    static const std::vector<Field<MicroRefineFfn>> kFields{
        integerField(&MicroRefineFfn::steps,
                     {"micro_steps", "M", "micro_steps", "groups of channels, or iterations", ""},
                     [](const MicroRefineFfn&, const FieldContext& context) {
                         return LegalValues::integers(1, std::min(context.dModel, 256));
                     }),
        ratioField(&MicroRefineFfn::keepRatio,
                   {"micro_keep_ratio",
                    "\xCF\x81",
                    "micro_keep_ratio",
                    "share of each group that is refined",
                    ""}),
        choiceField(&MicroRefineFfn::mode,
                    {"mode", "", "mode", "each group once, or all channels several times", ""}),
        choiceField(
            &MicroRefineFfn::selection,
            {"micro_selection", "", "channels", "a fixed list, or the largest of each token", ""}),
        onlyIf(integerField(&MicroRefineFfn::seed,
                            {"micro_seed", "", "list seed", "draws the fixed list of channels", ""},
                            [](const MicroRefineFfn&, const FieldContext&) {
                                return LegalValues::integers(0, 1'000'000);
                            }),
               [](const MicroRefineFfn& ffn) { return ffn.selection == ChannelSelection::fixed; }),
    };
    return kFields;
}

WeightShapes weights(const MicroRefineFfn& /*ffn*/, int dModel)
{
    return {{"beta", 1, dModel, Init::small},
            {"gamma", 1, dModel, Init::ones},
            {"delta", 1, dModel, Init::small}};
}

} // namespace flopsmith
