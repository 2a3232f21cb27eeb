// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/mixer_operands.h"
#include "core/kernels/reference/mixer.h"
#include "core/mixer/attention.h"
#include "tests/core/kernels/reference/counting_run.h"
#include "tests/support/mixer_cases.h"

#include <gtest/gtest.h>

#include <set>

namespace flopsmith::reference {
namespace {

Executed executedBy(const MixerSpec& mixer, const Shape& shape)
{
    const auto weights = randomWeights<Counted>(flopsmith::weights(mixer, shape.dModel), 1);
    const MixerOperands operands = operandsOf(mixer, shape);
    const auto x = randomActivations<Counted>(operands.x, 2);
    const auto keys = randomActivations<Counted>(operands.cachedKeys, 3);
    const auto values = randomActivations<Counted>(operands.cachedValues, 4);
    std::vector<Counted> y(shape.activations());
    return executed([&] { forward<Counted>(mixer, shape, weights, x, keys, values, y); });
}

class CountedMixer : public testing::TestWithParam<int>
{};

TEST_P(CountedMixer, ExecutesWhatItsFormulaSaysClassByClass)
{
    const int dModel = GetParam();
    const std::vector<Shape> shapes = test::awkwardShapes(dModel);
    std::size_t next = 0;
    for (const MixerSpec& mixer : test::mixerCases(dModel)) {
        const Shape& shape = shapes[next++ % shapes.size()];

        const Executed formula = executionOf(test::costTree(mixer, shape).total().count);

        ASSERT_EQ(text(executedBy(mixer, shape)), text(formula))
            << info(mixer).id << " " << test::describe(mixer) << "batch " << shape.batch
            << ", sequence " << shape.sequence << ", context " << shape.context << ", source "
            << shape.source << ", d " << dModel;
    }
}

INSTANTIATE_TEST_SUITE_P(AwkwardWidths,
                         CountedMixer,
                         testing::ValuesIn(test::awkwardWidths()),
                         testing::PrintToStringParamName());

TEST(CountedAttention, WindowsSmallerThanInsideAndBeyondTheContextAreExact)
{
    for (const int window : {0, 1, 2, 3, 4, 5, 6, 7, 8, 20}) {
        for (const Shape& shape : test::awkwardShapes(12)) {
            for (const bool causal : {true, false}) {
                const MixerSpec mixer =
                    Attention{.heads = 4, .kvHeads = 2, .causal = causal, .window = window};

                const Executed formula = executionOf(test::costTree(mixer, shape).total().count);

                EXPECT_EQ(text(executedBy(mixer, shape)), text(formula))
                    << "window " << window << ", sequence " << shape.sequence << ", context "
                    << shape.context << ", causal " << causal;
            }
        }
    }
}

TEST(CountedMixer, CasesCoverEveryVariantAndItsExtremes)
{
    std::set<std::string_view> ids;
    std::set<std::string> settings;
    for (const MixerSpec& mixer : test::mixerCases(12)) {
        ids.insert(info(mixer).id);
        for (const auto& field : fields(mixer)) {
            settings.insert(std::string(field.text.key) + "=" + valueText(field.value(mixer)));
        }
    }

    EXPECT_EQ(ids.size(), MixerSpec::kKinds);
    for (const char* extreme : {"rotary=true",
                                "rotary_dim=2",
                                "causal=false",
                                "heads=1",
                                "kv_heads=1",
                                "window=1",
                                "qk_norm=per_head",
                                "qk_norm=full_width",
                                "qk_norm_kind=layer_norm",
                                "qk_norm_shift=true",
                                "sinks=true",
                                "soft_cap=0",
                                "soft_cap=0.5",
                                "scale_scores=false",
                                "position_bias=alibi",
                                "position_bias=relative",
                                "position_bias=shared_relative",
                                "relative_buckets=4"}) {
        EXPECT_TRUE(settings.count(extreme) == 1) << extreme;
    }
}

} // namespace
} // namespace flopsmith::reference
