// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/export/hugging_face/design_folder.h"
#include "core/export/torch/tensors/expected_outputs.h"
#include "core/export/torch/tensors/stored_tensors.h"
#include "core/ffn/ffn_variants.h"
#include "core/mixer/mixer_variants.h"
#include "tests/support/ffns_with_values.h"
#include "tests/support/mixers_with_values.h"
#include "tests/support/small_scenario.h"
#include "tests/support/spec_cases.h"
#include "tests/support/torch_lane.h"

#include <gtest/gtest.h>

// Exported folders as people use them: loaded, padded, generated from, trained, saved and loaded
// again by the transformers library (check_use.py): `./dev test torch`.
namespace flopsmith {
namespace {

constexpr std::uint64_t kUseSeed = 5; // of the weights

class TorchLaneOfUse : public test::BesideTorchTest
{
protected:
    void add(const std::string& name, const Scenario& scenario)
    {
        const std::string number = std::to_string(m_count++);
        const std::string place = (folder() / (number + "-" + name)).string();
        const auto made = writeHuggingFaceFolder(place, {.scenario = scenario}, {.seed = kUseSeed});
        ASSERT_TRUE(made.ok()) << name << ": " << made.error().message;
        const Scenario checked = torch::checkedScenario(scenario);
        const ModelPlan plan = planOf(checked).value();
        const auto stored = torch::storedTensors(checked.model, plan).value();
        ASSERT_TRUE(torch::writeExpected(place + "/expected.safetensors",
                                         plan,
                                         stored,
                                         torch::WeightSource{.seed = kUseSeed},
                                         false)
                        .ok());
        m_folders += " '" + place + "'";
    }

    void expectAllUsable() const
    {
        EXPECT_TRUE(scriptRuns("core/export/hugging_face/check_use.py", m_folders)) << folder();
    }

private:
    std::string m_folders;
    int m_count = 0;
};

// A small Llama of two blocks, with the angles of Llama-3 and grouped heads. The first block is
// there to be changed.
Scenario llamaOfTwoBlocks()
{
    Scenario scenario = test::smallPreset("llama-3-8b");
    std::vector<BlockRun>& runs = scenario.model.runs;
    runs.resize(1);
    runs.front().repeat = 1;
    runs.push_back(runs.front());
    return scenario;
}

Block& changedBlock(Scenario& scenario)
{
    return scenario.model.runs.front().block;
}

std::vector<FfnSpec> swappedFfns()
{
    const TokenFeedbackFfn previous{.steps = 2, .feedback = Feedback::previousToken};
    ComposedFfn composed;
    composed.stages = {{SpectralFfn{.kFreq = 4}}, {previous}};
    ComposedFfn sequential = composed;
    sequential.mode = CompositionMode::sequential;
    std::vector<FfnSpec> all = ffnPrototypes();
    std::erase_if(all, [](const FfnSpec& ffn) { return holds_alternative<ComposedFfn>(ffn); });
    for (const FfnSpec& more : {FfnSpec(previous), FfnSpec(composed), FfnSpec(sequential)}) {
        all.push_back(more);
    }
    for (const FfnSpec& more : test::ffnsWithValues()) {
        all.push_back(more);
    }
    return all;
}

TEST_F(TorchLaneOfUse, EveryFfnInALlama)
{
    for (const FfnSpec& ffn : swappedFfns()) {
        Scenario scenario = llamaOfTwoBlocks();
        changedBlock(scenario).ffn = test::fitted(ffn, {scenario.model.dModel});
        add("llama-" + std::string(info(ffn).id), scenario);
    }
    expectAllUsable();
}

std::vector<MixerSpec> swappedMixers()
{
    Attention window{.heads = 4, .kvHeads = 4, .window = 2, .softCap = 3.0};
    Attention sinks{.heads = 4, .kvHeads = 2, .sinks = true};
    Attention alibi{.heads = 4, .kvHeads = 4, .positionBias = PositionBias::alibi};
    Attention relative{
        .heads = 4, .kvHeads = 4, .positionBias = PositionBias::relative, .relativeBuckets = 8};
    Attention bothWays{.heads = 4, .kvHeads = 4, .causal = false, .window = 4};
    std::vector<MixerSpec> all{window, sinks, alibi, relative, bothWays};
    for (const MixerSpec& mixer : mixerPrototypes()) {
        if (!readsSource(mixer)) {
            all.push_back(mixer);
        }
    }
    for (const MixerSpec& mixer : test::mixersWithValues()) {
        all.push_back(mixer);
    }
    return all;
}

TEST_F(TorchLaneOfUse, EveryMixer)
{
    for (const MixerSpec& mixer : swappedMixers()) {
        Scenario scenario = llamaOfTwoBlocks();
        changedBlock(scenario).mixer = test::fitted(mixer, {scenario.model.dModel});
        changedBlock(scenario).ffn = TokenFeedbackFfn{.steps = 2};
        add("mixer-" + std::string(info(mixer).id), scenario);
    }
    expectAllUsable();
}

// No mixer at all: nothing is cached, and positions still count.
TEST_F(TorchLaneOfUse, AModelWithoutMixers)
{
    Scenario scenario = test::smallPreset("gpt2");
    for (BlockRun& run : scenario.model.runs) {
        run.block.mixer = MixerSpec{};
    }
    add("no-mixer", scenario);
    for (BlockRun& run : scenario.model.runs) {
        run.block.ffn = TokenFeedbackFfn{.steps = 2, .feedback = Feedback::previousToken};
    }
    add("feedback-alone", scenario);
    expectAllUsable();
}

TEST_F(TorchLaneOfUse, EveryKindOfAngles)
{
    const Rope plain{.base = 500'000.0};
    Rope linear = plain;
    linear.scaling = RopeScaling::linear;
    linear.factor = 4.0;
    Rope llama3 = linear;
    llama3.scaling = RopeScaling::llama3;
    llama3.trainedPositions = 64;
    Rope yarn = llama3;
    yarn.scaling = RopeScaling::yarn;
    yarn.amplitude = 1.2;
    for (const Rope& rope : {plain, linear, llama3, yarn}) {
        Scenario scenario = llamaOfTwoBlocks();
        for (BlockRun& run : scenario.model.runs) {
            get<Attention>(run.block.mixer).rope = rope;
        }
        changedBlock(scenario).ffn = LowRankFfn{.dFf = 40, .rank = 4};
        add("rope-" + std::string(enumName(rope.scaling)), scenario);
    }
    expectAllUsable();
}

// With the families that need no code and those that do, such as Mixtral, ALBERT, T5 and ViT.
TEST_F(TorchLaneOfUse, EveryPreset)
{
    for (const Preset& preset : presets()) {
        Scenario scenario = test::smallPreset(preset.id);
        auto* attention = get_if<Attention>(&scenario.model.runs.front().block.mixer);
        if (attention != nullptr && (preset.id == "gpt2" || preset.id == "bert-base")) {
            attention->kvHeads = attention->heads; // as the family has them
        }
        add(std::string(preset.id), scenario);
    }
    expectAllUsable();
}

} // namespace
} // namespace flopsmith
