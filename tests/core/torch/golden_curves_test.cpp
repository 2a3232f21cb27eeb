// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/fast/fast_engine.h"
#include "tests/core/torch/torch_curves.h"

#include <gtest/gtest.h>

#include <set>

// Training by the CPU kernels follows the curves that PyTorch drew: ./dev test torch makes them anew
// with FLOPSMITH_WRITE_CURVES=1.
namespace flopsmith {
namespace {

class GoldenCurves : public testing::TestWithParam<test::CurveCase>
{};

TEST_P(GoldenCurves, AreFollowed)
{
    const std::vector<double> golden = test::curveOf(test::goldenPath(GetParam().name));
    ASSERT_EQ(std::ssize(golden), test::kCurveSteps)
        << "no curve of " << GetParam().name << " in tests/data/loss_curves";

    const auto training =
        test::curveTraining(GetParam(), test::CurveSizes{}, test::kCurveSteps, false);
    const auto losses = test::curveHere<float>(training, fastEngine(cpu::Threads{1}));

    const std::int64_t steps = GetParam().chooses ? test::kStepsOfChoices : test::kCurveSteps;
    EXPECT_LE(test::distance(losses, golden, steps), test::kMaxApart);
    EXPECT_LT(golden.back(), golden.front()); // something is learned
}

INSTANTIATE_TEST_SUITE_P(Every,
                         GoldenCurves,
                         testing::ValuesIn(test::curveCases(test::CurveSizes{})),
                         [](const auto& each) { return each.param.name; });

TEST(GoldenCurveCases, HaveEveryFfnAndMixer)
{
    std::set<std::size_t> ffns;
    std::set<std::size_t> mixers;
    for (const test::CurveCase& each : test::curveCases(test::CurveSizes{})) {
        for (const BlockRun& run : each.scenario.model.runs) {
            ffns.insert(run.block.ffn.index());
            mixers.insert(run.block.mixer.index());
            mixers.insert(run.block.cross.index());
        }
    }
    EXPECT_EQ(ffns.size(), FfnSpec::kKinds);
    EXPECT_EQ(mixers.size(), MixerSpec::kKinds);
}

} // namespace
} // namespace flopsmith
