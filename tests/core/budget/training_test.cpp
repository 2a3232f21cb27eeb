// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/budget/training.h"

#include "core/budget/hardware.h"
#include "core/budget/roofline.h"
#include "core/ffn/dense.h"
#include "core/mixer/attention.h"
#include "core/model/presets.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

double bf16PeakOf(const char* id)
{
    return hardwareNamed(id)->peak(NumberFormat::bf16)->flopsPerSecond;
}

// GPT-2's shape at the size of GPT-3: 96 layers of width 12,288 with 96 heads, 2,048 tokens.
Scenario gpt3()
{
    Model model = *presetNamed("gpt2");
    model.dModel = 12'288;
    model.embedding.positionRows = 2048;
    model.runs.front().repeat = 96;
    auto& attention = get<Attention>(model.runs.front().block.mixer);
    attention.heads = attention.kvHeads = 96;
    get<DenseFfn>(model.runs.front().block.ffn).dFf = 4 * 12'288;
    return {.model = model, .workload = {.sequence = 2048}};
}

// Brown et al. 2020 (arXiv:2005.14165), table D.1: 6 × 174,600 M × 300 B = 3.14e23 FLOP, which is
// 3.64e3 petaflop/s-days.
TEST(TrainingRun, OfGpt3IsThePublishedFigure)
{
    const TrainingRun run{.tokens = 300e9,
                          .flopsPerToken = 6.0 * 174'600e6,
                          .devices = 1.0,
                          .peakFlopsPerSecond = 1e15,
                          .utilisation = 1.0};

    EXPECT_NEAR(run.flops(), 3.14e23, 0.005e23);
    EXPECT_NEAR(run.seconds() / kSecondsPerDay, 3.64e3, 0.005e3);
}

// The counted products of the same model: those of 6·N and of the attention core besides.
TEST(TrainingFlops, OfGpt3AreSixPerParameterAndTheAttentionCore)
{
    const TrainingFlops flops = trainingFlopsPerToken(gpt3(), PairsRule::full);

    EXPECT_NEAR(flops.sixTimesParameters, 6.0 * 174.6e9, 0.004 * 6.0 * 174.6e9);
    const double core = 12.0 * 96 * 12'288 * 2048;
    EXPECT_NEAR(flops.model, 6.0 * 174.6e9 + core, 0.005 * flops.model);
}

// nanoGPT's transformer_sizing notebook: 874,944,921,600 FLOP for 1,024 tokens, forward and backward.
TEST(TrainingFlops, OfGpt2AreThePublishedOnes)
{
    const Scenario gpt2{*presetNamed("gpt2"), {.sequence = 1024}};

    EXPECT_DOUBLE_EQ(trainingFlopsPerToken(gpt2, PairsRule::full).model * 1024, 874'944'921'600.0);
}

TEST(TrainingFlops, OfTheModelDoNotDependOnWhatIsComputedTwice)
{
    Scenario scenario{*presetNamed("gpt2"), {.batch = 3, .sequence = 100}};
    const TrainingFlops flash = trainingFlopsPerToken(scenario, PairsRule::full);
    scenario.workload.checkpointing = Checkpointing::full;
    const TrainingFlops full = trainingFlopsPerToken(scenario, PairsRule::full);
    scenario.workload.phase = Phase::decode;

    EXPECT_EQ(flash.model, full.model);
    EXPECT_GT(flash.hardware, flash.model);
    EXPECT_GT(full.hardware, flash.hardware);
    EXPECT_EQ(trainingFlopsPerToken(scenario, PairsRule::full).model, full.model);
}

// Chowdhery et al. 2022 (arXiv:2204.02311), appendix B: 238.3 K tokens/s on 6,144 TPU v4 chips,
// 540e9 parameters: 45.7 % without self-attention, 46.2 % with 12·L·H·Q·T of it.
TEST(Utilisation, OfPalmIsThePublishedFigure)
{
    const double peak = bf16PeakOf("tpu-v4");
    const double attention = 12.0 * 118 * 48 * 256 * 2048;
    const auto mfu = [peak](double flopsPerToken) {
        return 100.0 * utilisation(flopsPerToken * 238.3e3, 1.0, 6144, peak);
    };

    EXPECT_NEAR(mfu(6.0 * 540e9), 45.7, 0.05);
    EXPECT_NEAR(mfu(6.0 * 540e9 + attention), 46.2, 0.05);
}

// Touvron et al. 2023 (arXiv:2302.13971), section 2.4: LLaMA-65B at around 380 tokens/s per GPU on
// 2,048 A100 of 80 GB sees 1.4 T tokens in approximately 21 days.
TEST(TrainingRun, OfLlama65BTakes21Days)
{
    const double flopsPerToken = 6.0 * 65.2e9;
    const double peak = bf16PeakOf("a100-sxm-80gb");
    const TrainingRun run{.tokens = 1.4e12,
                          .flopsPerToken = flopsPerToken,
                          .devices = 2048,
                          .peakFlopsPerSecond = peak,
                          .utilisation = utilisation(flopsPerToken * 380, 1.0, 1.0, peak)};

    EXPECT_NEAR(run.tokensPerSecond(), 380.0 * 2048, 1e-6);
    EXPECT_NEAR(run.seconds() / kSecondsPerDay, 21.0, 0.3);
    EXPECT_NEAR(run.utilisation, 0.476, 0.001);
}

// The same paper, table 15: 1,022,362 hours of A100 at 400 W with a PUE of 1.1 are 449 MWh.
TEST(TrainingEnergy, OfLlama65BIsThePublishedFigure)
{
    const double watts = hardwareNamed("a100-sxm-80gb")->watts->value;
    const double joules = joulesOfPower(watts, 3600.0, 1'022'362, 1.1);

    EXPECT_NEAR(joules / kJoulesPerKilowattHour / 1000, 449.0, 1.0);
}

TEST(TrainingEnergy, OfWorkIsASumOfPrices)
{
    EXPECT_DOUBLE_EQ(joulesOfWork(2e12, 1e12, 0.5, 30.0), 1.0 + 30.0);
}

TEST(TrainingRun, TakesHalfAsLongOnTwice)
{
    const TrainingRun one{.tokens = 1e9,
                          .flopsPerToken = 1e9,
                          .devices = 8,
                          .peakFlopsPerSecond = 1e14,
                          .utilisation = 0.4};
    TrainingRun two = one;
    two.devices = 16;

    EXPECT_DOUBLE_EQ(two.seconds(), one.seconds() / 2);
    EXPECT_DOUBLE_EQ(two.deviceHours(), one.deviceHours());
}

} // namespace
} // namespace flopsmith
