// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/no_ffn.h"
#include "core/json/json.h"
#include "core/json/spec_json.h"
#include "core/lens/cost_summary.h"
#include "core/mixer/no_mixer.h"
#include "core/model/model_cost.h"
#include "core/model/operation.h"
#include "core/model/presets.h"
#include "core/parameter/parameter_table.h"
#include "core/parameter/validation.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

constexpr int kSubsets = 8; // of mixer, cross and FFN

// The model with these parts of every block muted, where they are there.
Model withMuted(Model model, int subset)
{
    for (BlockRun& run : model.runs) {
        run.block.mixerMuted = (subset & 1) != 0 && run.block.holdsMixer();
        run.block.crossMuted = (subset & 2) != 0 && run.block.holdsCross();
        run.block.ffnMuted = (subset & 4) != 0 && run.block.holdsFfn();
    }
    return model;
}

// The same without the parts that are muted.
Model withoutThem(Model model)
{
    for (BlockRun& run : model.runs) {
        Block& block = run.block;
        block.mixer = block.mixerMuted ? MixerSpec(NoMixer{}) : block.mixer;
        block.cross = block.crossMuted ? MixerSpec(NoMixer{}) : block.cross;
        block.ffn = block.ffnMuted ? FfnSpec(NoFfn{}) : block.ffn;
        block.mixerMuted = block.crossMuted = block.ffnMuted = false;
    }
    return model;
}

std::vector<Workload> workloadsOfEveryPass()
{
    Workload selective{.phase = Phase::train};
    selective.checkpointing = Checkpointing::selective;
    Workload full{.phase = Phase::train};
    full.checkpointing = Checkpointing::full;
    return {{.phase = Phase::prefill},
            {.phase = Phase::decode, .context = 300},
            {.phase = Phase::train},
            selective,
            full};
}

// Calls check(muted, absent) for every preset, workload and set of muted parts that is legal.
template <class Check>
void forEachMuted(Check check)
{
    for (const Preset& preset : presets()) {
        for (const Workload& workload : workloadsOfEveryPass()) {
            for (int subset = 1; subset < kSubsets; ++subset) {
                const Scenario muted{withMuted(preset.make(), subset), workload};
                if (validated(muted).ok()) {
                    SCOPED_TRACE(std::string(preset.id) + " " + std::to_string(subset));
                    check(muted, Scenario{withoutThem(muted.model), workload});
                }
            }
        }
    }
}

void expectSameTree(const CostTree<Count>& one, const CostTree<Count>& other)
{
    ASSERT_EQ(one.size(), other.size());
    for (int i = 0; i < one.size(); ++i) {
        const auto& a = one.node(i);
        const auto& b = other.node(i);
        ASSERT_EQ(one.path(i), other.path(i));
        EXPECT_TRUE(a.kind == b.kind && a.place == b.place && a.component == b.component
                    && a.repeat == b.repeat && a.elements == b.elements && a.cost == b.cost)
            << one.path(i);
    }
}

void expectSameFigures(const CostSummary& a, const CostSummary& b, std::string_view lensName)
{
    EXPECT_TRUE(a.flops == b.flops && a.macs == b.macs && a.parameters == b.parameters
                && a.activeParameters == b.activeParameters
                && a.fixedParameters == b.fixedParameters)
        << lensName;
}

TEST(MutedPart, CostsWhatItsAbsenceCostsUnderEveryLens)
{
    forEachMuted([](const Scenario& muted, const Scenario& absent) {
        for (const PairsRule pairs : {PairsRule::exact, PairsRule::half, PairsRule::full}) {
            const CostTree<Count> one = costTree(muted, pairs);
            const CostTree<Count> other = costTree(absent, pairs);
            expectSameTree(one, other);
            for (const Lens& each : lenses()) {
                if (each.pairs == pairs) {
                    expectSameFigures(
                        summary(one, muted, each.id), summary(other, absent, each.id), each.name);
                }
            }
        }
        EXPECT_TRUE(kvCacheBytesPerToken(muted) == kvCacheBytesPerToken(absent));
    });
}

TEST(MutedPart, IsNotMeasured)
{
    forEachMuted([](const Scenario& muted, const Scenario& absent) {
        for (const ComputePass pass : {ComputePass::forward, ComputePass::backward}) {
            EXPECT_EQ(measuredParts(muted, pass), measuredParts(absent, pass));
        }
    });
}

TEST(MutedPart, IsLegalWhereverItIsLegalItself)
{
    for (const Preset& preset : presets()) {
        for (const Workload& workload : workloadsOfEveryPass()) {
            const bool legal = validated({preset.make(), workload}).ok();
            for (int subset = 1; subset < kSubsets; ++subset) {
                const Scenario muted{withMuted(preset.make(), subset), workload};

                EXPECT_TRUE(!legal || validated(muted).ok()) << preset.id << " " << subset;
            }
        }
    }
}

TEST(MutedPart, LeavesEmbeddingNormAndHeadWhenEverythingIsMuted)
{
    const Scenario scenario{withMuted(*presetNamed("gpt2"), kSubsets - 1), {}};
    const CostTree<Count> tree = costTree(scenario);

    EXPECT_TRUE(validated(scenario).ok());
    for (int i = 1; i < tree.size(); i = tree.node(i).end) {
        EXPECT_EQ(tree.total(i) == Cost<Count>{}, tree.node(i).name == "blocks") << tree.path(i);
    }
}

// What is not executed keeps its parameters, so that it is the same when it is heard again.
TEST(MutedPart, KeepsItsParametersInTheTable)
{
    const Scenario plain{*presetNamed("gpt2"), {}};
    const Scenario muted{withMuted(plain.model, kSubsets - 1), {}};
    std::vector<std::string> keys[2];
    for (const Parameter& parameter : allParameters(plain)) {
        keys[0].push_back(parameter.key);
    }
    for (const Parameter& parameter : allParameters(muted)) {
        keys[1].push_back(parameter.key);
    }

    EXPECT_EQ(keys[0], keys[1]);
}

TEST(MutedPart, SplitsARunFromOneThatIsNotMuted)
{
    Model model = *presetNamed("gpt2");
    model.runs.push_back(model.runs.front());
    model.runs.back().block.ffnMuted = true;

    model.joinEqualRuns();
    EXPECT_EQ(model.runs.size(), 2U);

    model.runs.back().block.ffnMuted = false;
    model.joinEqualRuns();
    EXPECT_EQ(model.runs.size(), 1U);
}

TEST(MutedPart, OfASharedBlockIsMutedInAll)
{
    Model model = *presetNamed("gpt2-shared");
    model.runs.push_back(model.runs.front());
    model.runs.front().block.mixerMuted = true;
    EXPECT_FALSE(validated({model, {}}).ok());

    model.alignSharedWith(0);

    EXPECT_TRUE(validated({model, {}}).ok());
    EXPECT_TRUE(model.runs.back().block.mixerMuted);
}

TEST(MutedPart, OfAMixerWithoutCacheIsNoReasonNotToDecode)
{
    const Workload decode{.phase = Phase::decode};
    const Model fnet = *presetNamed("fnet-base");

    EXPECT_FALSE(validated({fnet, decode}).ok());
    EXPECT_TRUE(validated({withMuted(fnet, 1), decode}).ok());
}

TEST(MutedPart, SurvivesItsJson)
{
    for (const Preset& preset : presets()) {
        for (int subset = 0; subset < kSubsets; ++subset) {
            const Model model = withMuted(preset.make(), subset);
            const auto read = modelFromJson(toJson(model), "model");

            ASSERT_TRUE(read.ok()) << read.error().message;
            EXPECT_EQ(*read, model) << preset.id << " " << subset;
        }
    }
}

TEST(MutedPart, IsNamedInJsonOnlyWhereThereIsOne)
{
    const Model model = *presetNamed("t5-small");

    EXPECT_FALSE(toJson(model)["blocks"].back().contains("mute"));
    EXPECT_EQ(toJson(withMuted(model, kSubsets - 1))["blocks"].back()["mute"],
              Json::array({"mixer", "cross", "ffn"}));
}

TEST(MutedPart, ThatIsNoneIsRefused)
{
    const auto refusal = [](const Json& mute) {
        Json json = toJson(*presetNamed("tiny"));
        json["blocks"][0]["mute"] = mute;
        const auto read = modelFromJson(json, "model");
        return read.ok() ? std::string() : read.error().message;
    };

    EXPECT_EQ(refusal("ffn"),
              "model.blocks[0].mute: expected a list [ … ], found the text \"ffn\"");
    EXPECT_EQ(refusal(Json::array({"norm"})),
              "model.blocks[0].mute: \"norm\" is no part of a block; known are \"mixer\", "
              "\"cross\", \"ffn\"");
    EXPECT_EQ(refusal(Json::array({"cross"})),
              "model.blocks[0].mute: the block has no cross to mute");
    EXPECT_EQ(refusal(Json::array()), "");
    EXPECT_LT(refusal(Json::array({std::string(100'000, 'n')})).size(), 400U);
}

} // namespace
} // namespace flopsmith
