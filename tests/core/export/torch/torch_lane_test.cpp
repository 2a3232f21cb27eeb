// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/torch_lane.h"

#include "core/export/torch/design_folder.h"
#include "core/export/torch/executed_products.h"
#include "core/export/torch/tensors/expected_outputs.h"
#include "core/ffn/ffn_variants.h"
#include "core/kernels/check.h"
#include "core/model/model_cost.h"
#include "core/model/presets.h"
#include "core/parameter/parameter_table.h"
#include "core/parameter/validation.h"
#include "core/run/model_run.h"
#include "core/run/wiring.h"
#include "tests/support/drawn_values.h"
#include "tests/support/ffn_cases.h"
#include "tests/support/ffns_with_values.h"
#include "tests/support/mixer_cases.h"
#include "tests/support/mixers_with_values.h"
#include "tests/support/random_scenario.h"
#include "tests/support/small_scenario.h"

#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>

// Exported designs run by PyTorch: `./dev test torch` installs it and names the Python that has it.
namespace flopsmith::torch {
namespace {

constexpr int kMaxMacs = 3'000'000; // of one forward pass
constexpr int kMaxTokens = 40; // of a model without a table of positions, or with a long one
constexpr int kMaxDraws = 5;

class TorchLane : public test::BesideTorchTest
{
protected:
    // Whether the design could be written: one without an executable plan is not.
    bool writes(const Scenario& scenario)
    {
        Project project;
        project.scenario = scenario;
        const std::string place = (folder() / std::to_string(m_count)).string();
        const WeightSource weights = settledWeights(scenario);
        const auto made = writeDesignFolder(place, project, {.source = weights});
        m_count += made.ok() ? 1 : 0;
        if (made.ok()) {
            writeMore(place, scenario, weights);
        }
        return made.ok();
    }

    static bool isSmall(const Scenario& scenario)
    {
        return costTree(checkedScenario(scenario)).total().count.mac < kMaxMacs;
    }

    // One token, and as many as the model has positions, for check_folders.py; and how many terms the
    // outputs sum over.
    void writeMore(const std::string& place,
                   const Scenario& scenario,
                   const WeightSource& weights) const
    {
        Scenario checked = checkedScenario(scenario);
        const Embedding& embedding = checked.model.embedding;
        std::ofstream(place + "/terms.txt") << contractionTerms(planOf(checked).value());
        if (m_countsProducts) {
            std::ofstream(place + "/products.txt")
                << static_cast<std::int64_t>(executedProducts(checked).executed);
        }
        if (embedding.readsPatches()) {
            return; // images have one size
        }
        const int most = embedding.positionRows > 0 ? embedding.positionTableRows() : kMaxTokens;
        checked.workload.batch = 1;
        for (const int tokens : {1, std::min(most, kMaxTokens)}) {
            checked.workload.sequence = tokens;
            checked.workload.source = checked.model.hasEncoder() ? tokens : 0;
            const ModelPlan plan = planOf(checked).value();
            const auto stored = storedTensors(checked.model, plan);
            ASSERT_TRUE(stored.ok());
            const std::string file = place + "/expected-" + std::to_string(tokens) + ".safetensors";
            EXPECT_TRUE(writeExpected(file, plan, *stored, weights, false).ok()) << file;
        }
    }

    // Weights for which no choice of a largest value hangs on a rounding error: the reference gives
    // the same in single precision.
    static WeightSource settledWeights(const Scenario& scenario)
    {
        WeightSource weights;
        const auto plan = planOf(checkedScenario(scenario));
        for (int draw = 0; plan.ok() && draw < kMaxDraws && !isSettled(*plan, weights); ++draw) {
            weights.seed += 100;
        }
        return weights;
    }

    static bool isSettled(const ModelPlan& plan, const WeightSource& weights)
    {
        const auto outputs = outputsIn<double>(plan, weights);
        return compare(outputsIn<float>(plan, weights), outputs, contractionTerms(plan)).agrees;
    }

    template <class S>
    static std::vector<S> outputsIn(const ModelPlan& plan, const WeightSource& source)
    {
        Weights<S> weights;
        for (std::size_t i = 0; i < plan.tensors.size(); ++i) {
            const std::vector<float> values = source.values<float>(plan, i);
            weights.emplace_back(values.begin(), values.end());
        }
        const auto inputs = randomInputs<S>(plan, source.seed + 1);
        return forward<S>(plan, weights, inputs).value().outputs;
    }

    void expectAllEqual() const
    {
        EXPECT_TRUE(scriptRuns("core/export/torch/check_folders.py", "'" + folder().string() + "'"))
            << "the designs are left in " << folder();
    }

    int m_count = 0;
    bool m_countsProducts =
        false; ///< of sizes above 1: PyTorch multiplies single columns by element
};

TEST_F(TorchLane, EveryPresetIsEqual)
{
    for (const Preset& preset : presets()) {
        EXPECT_TRUE(writes(test::smallPreset(preset.id))) << preset.id;
    }
    expectAllEqual();
}

// Also where the program multiplies what is not counted.
TEST_F(TorchLane, ProductsAreThoseThatTheReadmeNames)
{
    m_countsProducts = true;
    for (const char* preset : {"llama-3-8b", "mixtral-8x7b", "deepseek-v3", "t5-small"}) {
        EXPECT_TRUE(writes(test::smallPreset(preset))) << preset;
    }
    for (const FfnSpec& ffn :
         {FfnSpec(RandomProjectionFfn{.features = 20}),
          FfnSpec(KroneckerFfn{.dFf = 32, .d1 = 4, .f1 = 8, .rank = 2, .keepRatio = 0.5}),
          FfnSpec(SpectralFfn{.kFreq = 3, .algorithm = SpectralAlgorithm::direct}),
          FfnSpec(MonarchFfn{.dFf = 48, .blocks = 4}),
          FfnSpec(LowRankFfn{.dFf = 40, .rank = 4}),
          FfnSpec(TokenFeedbackFfn{.steps = 2, .rank = 5})}) {
        Scenario scenario = test::smallPreset("gpt2");
        scenario.model.runs.front().block.ffn = ffn;
        EXPECT_TRUE(writes(scenario)) << test::describeFfn(ffn);
    }
    expectAllEqual();
}

TEST_F(TorchLane, EveryPresetIsEqualWithOtherValues)
{
    for (std::uint64_t seed = 1; seed <= 4; ++seed) { // all kinds of angles
        for (const Preset& preset : presets()) {
            Scenario scenario = test::smallPreset(preset.id);
            scenario.model = test::DrawnValues(seed).of(scenario.model);
            EXPECT_TRUE(writes(scenario)) << preset.id;
        }
    }
    expectAllEqual();
}

// Each with every choice of its fields, in a model of one block.
TEST_F(TorchLane, EveryOptionOfEveryVariantIsEqual)
{
    for (const FfnSpec& ffn : test::ffnCases(24, 2)) {
        Scenario scenario = test::smallPreset("gpt2");
        scenario.model.runs.resize(1);
        scenario.model.runs.front().repeat = 1;
        scenario.model.runs.front().block.ffn = ffn;
        EXPECT_TRUE(writes(scenario)) << test::describeFfn(ffn);
    }
    for (const MixerSpec& mixer : test::mixerCases(24, 2)) {
        Scenario scenario = test::smallPreset(readsSource(mixer) ? "t5-small" : "llama-3-8b");
        Block& block = scenario.model.runs.back().block;
        (readsSource(mixer) ? block.cross : block.mixer) = mixer;
        writes(scenario); // but for attention to a table that no earlier block has
    }
    expectAllEqual();
}

// Limits that many features exceed, offsets of biases, experts with gates of their own.
TEST_F(TorchLane, EveryPartWithOtherValuesIsEqual)
{
    for (const FfnSpec& ffn : test::ffnsWithValues()) {
        Scenario scenario = test::smallPreset("gpt2");
        scenario.model.runs.front().block.ffn = ffn;
        EXPECT_TRUE(writes(scenario)) << test::describeFfn(ffn);
    }
    for (const MixerSpec& mixer : test::mixersWithValues()) {
        Scenario scenario = test::smallPreset("llama-3-8b");
        scenario.model.runs.front().block.mixer = mixer;
        EXPECT_TRUE(writes(scenario)) << test::describe(mixer);
    }
    expectAllEqual();
}

TEST_F(TorchLane, DesignsOfAnyStructureAreEqual)
{
    EXPECT_TRUE(rc::check("written", [this] {
        Scenario scenario = test::randomScenario();
        scenario.workload.phase = Phase::prefill;
        scenario = test::small(scenario);
        RC_PRE(validated(scenario).ok() && isSmall(scenario));
        RC_PRE(writes(scenario));
    }));
    expectAllEqual();
}

TEST_F(TorchLane, PresetsWithOtherNumbersAreEqual)
{
    EXPECT_TRUE(rc::check("written", [this] {
        const auto preset = *rc::gen::inRange<std::size_t>(0, presets().size());
        Scenario scenario = test::smallPreset(presets()[preset].id);
        for (const Parameter& parameter : allParameters(scenario)) {
            if (parameter.key == "layers" || !parameter.applies(scenario)
                || *rc::gen::inRange(0, 4) > 0) {
                continue;
            }
            const auto stops = parameter.legal(scenario).stops();
            setAndRepair(
                scenario, parameter, stops[*rc::gen::inRange<std::size_t>(0, stops.size())]);
        }
        scenario.workload.phase = Phase::prefill;
        scenario = test::small(scenario);
        RC_PRE(validated(scenario).ok() && isSmall(scenario));
        RC_PRE(writes(scenario));
    }));
    expectAllEqual();
}

} // namespace
} // namespace flopsmith::torch
