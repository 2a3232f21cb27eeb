// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/budget/roofline.h"

#include "core/budget/hardware.h"
#include "core/model/presets.h"

#include <gtest/gtest.h>

#include <cmath>

namespace flopsmith {
namespace {

constexpr Peaks kPeaks{.flopsPerSecond = 100.0, .bytesPerSecond = 4.0}; // ridge at 25 FLOPs/byte

Scenario halfPrecision(const char* preset, Phase phase)
{
    return {.model = *presetNamed(preset),
            .workload = {.phase = phase,
                         .sequence = 512,
                         .precision = {.weightBits = 16, .activationBits = 16, .kvBits = 16}}};
}

Peaks a100()
{
    const Hardware hardware = *hardwareNamed("a100-sxm-80gb");
    return {hardware.peak(NumberFormat::bf16)->flopsPerSecond, hardware.bytesPerSecond.value};
}

Roofline rooflineOf(const Scenario& scenario, LensId lens = LensId::exact)
{
    return roofline(costTree(scenario), scenario.workload.precision, a100(), lens);
}

TEST(LowerBound, IsTheSlowerOfBothSides)
{
    EXPECT_EQ(lowerBound(1000.0, 8.0, kPeaks), (LowerBound{10.0, Binding::compute}));
    EXPECT_EQ(lowerBound(100.0, 40.0, kPeaks), (LowerBound{10.0, Binding::memory}));
}

TEST(LowerBound, ChangesSidesAtTheRidge)
{
    EXPECT_EQ(kPeaks.ridge(), 25.0);
    EXPECT_EQ(lowerBound(25.0 * 8, 8.0, kPeaks).binding, Binding::compute);
    EXPECT_EQ(lowerBound(24.9 * 8, 8.0, kPeaks).binding, Binding::memory);
}

TEST(LowerBound, IsUnknownWithoutPeaks)
{
    EXPECT_EQ(lowerBound(1.0, 1.0, Peaks{}).binding, Binding::unknown);
}

TEST(Roofline, WholeTimeIsTheSumOfItsOperations)
{
    for (const Preset& preset : presets()) {
        for (const Phase phase : {Phase::prefill, Phase::train}) {
            const Scenario scenario{preset.make(), {.phase = phase, .sequence = 64}};
            const CostTree<Count> tree = costTree(scenario);
            const Roofline all = roofline(tree, scenario.workload.precision, kPeaks, LensId::exact);
            double seconds = 0.0;
            Count flops = 0;
            Count bytes = 0;
            for (int i = 0; i < tree.size(); ++i) {
                const RooflinePart& part = all.parts[static_cast<std::size_t>(i)];
                if (tree.node(i).kind != OpKind::group) {
                    seconds += toDouble(part.uses) * part.seconds;
                    flops += part.uses * part.flops;
                    bytes += part.uses * part.bytes;
                }
            }

            EXPECT_NEAR(all.whole().seconds, seconds, 1e-9 * seconds) << preset.id;
            EXPECT_TRUE(all.whole().flops == flops && all.whole().bytes == bytes) << preset.id;
            EXPECT_TRUE(flops == priced(LensId::exact, tree.total().count)) << preset.id;
        }
    }
}

// One side alone can only be faster.
TEST(Roofline, IsAboveBothRoofsOfTheWhole)
{
    const Roofline all = rooflineOf(halfPrecision("llama-3-8b", Phase::prefill));
    const RooflinePart& whole = all.whole();

    EXPECT_GE(whole.seconds, toDouble(whole.flops) / all.peaks.flopsPerSecond);
    EXPECT_GE(whole.seconds, toDouble(whole.bytes) / all.peaks.bytesPerSecond);
}

// Reading 16-bit weights once takes 2N/bandwidth: Llama-3-8B without its input table, on 2,039 GB/s.
TEST(Roofline, DecodingIsBoundByReadingTheWeights)
{
    Scenario scenario = halfPrecision("llama-3-8b", Phase::decode);
    scenario.workload.context = 1;
    const Roofline all = rooflineOf(scenario);
    const double weights = 2.0 * (8'030'261'248.0 - 525'336'576.0) / 2039e9;

    EXPECT_EQ(all.whole().binding, Binding::memory);
    EXPECT_GT(all.whole().seconds, weights);
    EXPECT_LT(all.whole().seconds, 1.01 * weights);
}

TEST(Roofline, PrefillIsBoundByCompute)
{
    EXPECT_EQ(rooflineOf(halfPrecision("llama-3-8b", Phase::prefill)).whole().binding,
              Binding::compute);
}

TEST(Roofline, GradientsAndOptimizerStateAreMovedToo)
{
    const Scenario scenario = halfPrecision("gpt2", Phase::train);
    const CostTree<Count> tree = costTree(scenario);
    const Roofline all = rooflineOf(scenario);
    const Count parameters = tree.total().parameters.trainable;

    // Adam: weights read and written, gradients read (16 bits); two means read and written (32).
    EXPECT_TRUE(all.parts.back().bytes == (2 * 2 + 2 + 4 * 4) * parameters);
    EXPECT_EQ(all.parts.back().binding, Binding::memory);
}

TEST(Utilisation, AtTheLowerBoundIsAtMostOne)
{
    const double mfu = rooflineOf(halfPrecision("llama-3-8b", Phase::prefill)).mfuAtLowerBound();

    EXPECT_GT(mfu, 0.5);
    EXPECT_LE(mfu, 1.0);
}

TEST(Roofline, TheBoundOfTheWholeAloneIsTheSame)
{
    for (const Preset& preset : presets()) {
        const Scenario scenario = preset.scenario();
        const CostTree<Count> tree = costTree(scenario);
        const Precision& precision = scenario.workload.precision;
        const Peaks peaks{.flopsPerSecond = 3e14, .bytesPerSecond = 2e12};
        const Roofline all = roofline(tree, precision, peaks, LensId::exact);

        const LowerBound whole = lowerBoundOf(tree, precision, peaks, LensId::exact);

        EXPECT_NEAR(whole.seconds / all.whole().seconds, 1.0, 1e-12) << preset.id;
        EXPECT_EQ(whole.binding, all.whole().binding);
    }
    EXPECT_EQ(lowerBoundOf({}, {}, {}, LensId::exact), LowerBound{});
}

} // namespace
} // namespace flopsmith
