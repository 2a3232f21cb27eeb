// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/torch_lane.h"

#include "app/bench_torch/jobs/jobs.h"
#include "core/ffn/dense.h"
#include "core/ffn/no_ffn.h"
#include "core/mixer/attention.h"
#include "core/mixer/cross_attention.h"
#include "core/mixer/latent_attention.h"
#include "core/model/presets.h"
#include "core/parameter/validation.h"
#include "tests/support/small_scenario.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

// What PyTorch computes agrees with the reference and is timed: `./dev test torch`.
namespace flopsmith::bench {
namespace {

constexpr double kBudgetSeconds = 0.01;

class TorchBenchLane : public test::BesideTorchTest
{
protected:
    void SetUp() override
    {
        BesideTorchTest::SetUp();
        if (const char* python = std::getenv("FLOPSMITH_TORCH_PYTHON")) { // NOLINT: one thread
            m_worker =
                std::make_unique<TorchWorker>(TorchOptions{.python = python, .device = "cpu"});
        }
    }

    TorchWorker& worker() { return *m_worker; }

    Answer answerTo(const Operation& operation,
                    ComputePrecision precision = ComputePrecision::float32,
                    CacheState cache = CacheState::hot)
    {
        return torchMeasured(*m_worker,
                             {.id = 5,
                              .operation = operation,
                              .precision = precision,
                              .cache = cache,
                              .threads = 1,
                              .budgetSeconds = kBudgetSeconds},
                             {},
                             {},
                             [] { return std::optional<std::int64_t>(std::int64_t{1} << 40); });
    }

    void expectMeasured(const Operation& operation,
                        const std::string& name,
                        ComputePrecision precision = ComputePrecision::float32)
    {
        const Answer answer = answerTo(operation, precision);
        const auto* found = std::get_if<Measured>(&answer);
        ASSERT_NE(found, nullptr) << name << ": " << std::get<Failure>(answer).sentence;
        EXPECT_GT(found->medianSeconds, 0.0) << name;
        EXPECT_LE(found->check.relativeError, found->check.tolerance) << name;
        EXPECT_LT(found->check.tolerance,
                  precision == ComputePrecision::float32 ? 1e-3 : 9.0 / 512.0)
            << name;
        EXPECT_GT(found->check.compared, 0) << name;
    }

    void expectAllMeasured(const Scenario& scenario,
                           ComputePass pass = ComputePass::forward,
                           ComputePrecision precision = ComputePrecision::float32)
    {
        ASSERT_TRUE(flopsmith::validated(scenario).ok())
            << flopsmith::validated(scenario).error().message;
        for (const MeasuredPart& part : measuredParts(scenario, pass)) {
            expectMeasured(part.operation, part.path, precision);
        }
    }

private:
    std::unique_ptr<TorchWorker> m_worker;
};

TEST_F(TorchBenchLane, EveryPartOfEveryPresetAgreesInBothPasses)
{
    for (const Preset& preset : presets()) {
        SCOPED_TRACE(preset.id);
        const Scenario scenario = test::smallPreset(preset.id);
        expectAllMeasured(scenario);
        expectAllMeasured(scenario, ComputePass::backward);
    }
}

TEST_F(TorchBenchLane, EveryPartOfEveryPresetAgreesBesideACache)
{
    for (const Preset& preset : presets()) {
        SCOPED_TRACE(preset.id);
        Scenario scenario = test::smallPreset(preset.id);
        scenario.workload.phase = Phase::decode;
        scenario.workload.context = 7;
        const bool caches = preset.id != std::string_view("bert-base")
            && preset.id != std::string_view("albert-base"); // their tokens see later ones
        if (caches && flopsmith::validated(scenario).ok()) {
            expectAllMeasured(scenario);
        }
    }
}

TEST_F(TorchBenchLane, EveryWholeModelAgrees)
{
    for (const Preset& preset : presets()) {
        SCOPED_TRACE(preset.id);
        const auto whole = measuredWhole(test::smallPreset(preset.id));
        ASSERT_TRUE(whole.has_value());
        expectMeasured(whole->operation, "whole");
    }
}

TEST_F(TorchBenchLane, EveryVariantAgrees)
{
    Scenario scenario{.model = *presetNamed("tiny"), .workload = {.sequence = 5}};
    scenario.model.runs.resize(1);
    Block& block = scenario.model.runs[0].block;
    for (const FfnSpec& ffn : ffnPrototypes()) {
        SCOPED_TRACE(info(ffn).id);
        scenario.model.dModel = 128;
        block.ffn = ffn;
        repair(scenario);
        expectAllMeasured(scenario);
        expectAllMeasured(scenario, ComputePass::backward);
    }
    for (const MixerSpec& mixer : mixerPrototypes()) {
        SCOPED_TRACE(info(mixer).id);
        if (readsSource(mixer)) {
            continue; // it needs an encoder, which a preset has
        }
        scenario.model.dModel = 96;
        block.ffn = NoFfn{};
        block.mixer = mixer;
        expectAllMeasured(scenario);
        expectAllMeasured(scenario, ComputePass::backward);
    }
}

TEST_F(TorchBenchLane, SeveralTokensAreDecodedBesideACacheOrASource)
{
    const Operation sizes{.what = {}, .dModel = 48, .batch = 2, .sequence = 3, .context = 11};
    for (const MixerSpec& mixer :
         {MixerSpec(Attention{.heads = 4, .kvHeads = 2, .rotary = true, .window = 5}),
          MixerSpec(LatentAttention{
              .heads = 4, .kvLoraRank = 12, .qkNopeDim = 6, .qkRopeDim = 4, .vHeadDim = 6}),
          MixerSpec(CrossAttention{.heads = 4, .kvHeads = 2})}) {
        Operation operation = sizes;
        operation.what = mixer;
        operation.source = readsSource(mixer) ? 7 : 0;
        expectMeasured(operation, std::string(info(mixer).id));
    }
}

TEST_F(TorchBenchLane, PartsAgreeInFormatsOf16BitsWithinTheirBounds)
{
    for (const char* preset : {"gpt2", "llama-3-8b", "t5-small"}) {
        for (const ComputePrecision precision :
             {ComputePrecision::bfloat16, ComputePrecision::float16}) {
            SCOPED_TRACE(preset);
            const Scenario scenario = test::smallPreset(preset);
            expectAllMeasured(scenario, ComputePass::forward, precision);
            expectAllMeasured(scenario, ComputePass::backward, precision);
        }
    }
}

TEST_F(TorchBenchLane, PeaksAndColdCachesAreMeasured)
{
    const Answer answer = torchPeaks(worker(), {.id = 3, .threads = 1, .budgetSeconds = 0.2}, {});
    const auto* peaks = std::get_if<PeaksMeasured>(&answer);
    ASSERT_NE(peaks, nullptr) << std::get<Failure>(answer).sentence;
    EXPECT_GT(peaks->flopsPerSecond, 1e8);
    EXPECT_GT(peaks->bytesPerSecond, 1e8);
    EXPECT_GT(peaks->launchSeconds, 0.0);
    EXPECT_GE(peaks->products.size(), 2U); // a processor has no tf32

    const Operation dense{.what = FfnSpec(DenseFfn{.dFf = 32}), .dModel = 16};
    const Answer cold = answerTo(dense, ComputePrecision::float32, CacheState::cold);
    ASSERT_TRUE(std::holds_alternative<Measured>(cold)) << std::get<Failure>(cold).sentence;
    EXPECT_EQ(std::get<Measured>(cold).runsPerSample, 1);
}

TEST_F(TorchBenchLane, ItSaysWhichPyTorchComputes)
{
    const Answer answer = torchDescribed(worker(), {.id = 1}, {});
    const auto* described = std::get_if<Described>(&answer);
    ASSERT_NE(described, nullptr) << std::get<Failure>(answer).sentence;
    EXPECT_EQ(described->kind, "cpu");
    EXPECT_EQ(described->program.rfind("PyTorch ", 0), 0U) << described->program;
    EXPECT_NE(described->program.find(", eager, CPU"), std::string::npos) << described->program;

    TorchWorker other({.python = worker().options().python, .device = "cuda:99"});
    const Answer missing = torchDescribed(other, {.id = 1}, {});
    ASSERT_TRUE(std::holds_alternative<Failure>(missing));
    const std::string sentence = std::get<Failure>(missing).sentence;
    EXPECT_NE(sentence.find("sees no device cuda:99; it sees "), std::string::npos) << sentence;
}

} // namespace
} // namespace flopsmith::bench
