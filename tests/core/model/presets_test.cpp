// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/presets.h"

#include "core/model/model_cost.h"
#include "core/parameter/parameter_table.h"
#include "core/parameter/validation.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith {
namespace {

struct Published
{
    std::string_view preset;
    std::int64_t parameters;
};

class PublishedParameters : public testing::TestWithParam<Published>
{};

TEST_P(PublishedParameters, AreCountedExactly)
{
    const Scenario scenario{*presetNamed(GetParam().preset), {}};

    EXPECT_EQ(costTree(scenario).total().parameters.trainable, GetParam().parameters);
}

INSTANTIATE_TEST_SUITE_P(All,
                         PublishedParameters,
                         testing::Values(Published{"gpt2", 124'439'808},
                                         Published{"gpt2-medium", 354'823'168},
                                         Published{"gpt2-large", 774'030'080},
                                         Published{"gpt2-xl", 1'557'611'200},
                                         Published{"llama-2-7b", 6'738'415'616},
                                         Published{"llama-3-8b", 8'030'261'248},
                                         Published{"mistral-7b", 7'241'732'096},
                                         Published{"mixtral-8x7b", 46'702'792'704},
                                         Published{"deepseek-v3", 671'026'404'352},
                                         Published{"gemma-2-2b", 2'614'341'888},
                                         Published{"bert-base", 109'482'240},
                                         Published{"fnet-base", 82'861'056},
                                         Published{"albert-base", 11'683'584},
                                         Published{"vit-base-patch16-224", 86'567'656},
                                         Published{"t5-small", 60'506'624}));

// DeepSeek's checkpoint adds 58 × 256 correction biases, which no gradient trains.
TEST(ExpertPresets, HaveThePublishedActiveAndStoredParameters)
{
    const auto parametersOf = [](std::string_view id) {
        return costTree(Scenario{*presetNamed(id), {}}).total().parameters;
    };
    const ParameterCount<Count> mixtral = parametersOf("mixtral-8x7b");
    const ParameterCount<Count> deepseek = parametersOf("deepseek-v3");

    EXPECT_EQ(mixtral.active, 12'879'925'248);
    EXPECT_EQ(deepseek.active, 37'552'282'624);
    EXPECT_EQ(deepseek.trainable + deepseek.fixed, 671'026'419'200);
}

TEST(NewModel, IsOneLegalBlockOfGpt2Small)
{
    const Model model = newModel();
    Model twelve = model;
    twelve.name = "GPT-2 small";
    twelve.runs.front().repeat = 12;

    EXPECT_EQ(model.name, "untitled");
    EXPECT_EQ(model.layers(), 1);
    EXPECT_EQ(twelve, *presetNamed("gpt2"));
    EXPECT_TRUE(validated(Scenario{model, {}}).ok());
}

// google/fnet-base: 12 blocks of 4,725,504, embedding with a projection, pooler.
TEST(FnetBase, HasThePublishedEncoderAndNoParametersInItsMixers)
{
    const CostTree<Count> tree = costTree(Scenario{*presetNamed("fnet-base"), {}});
    Count inBlocks = 0;
    Count inMixers = 0;
    for (int i = 0; i < tree.size(); ++i) {
        if (tree.path(i) == "blocks[0]") {
            inBlocks = tree.node(i).repeat * tree.total(i).parameters.trainable;
        } else if (tree.path(i) == "blocks[0]/fourier") {
            inMixers = tree.total(i).parameters.trainable;
            EXPECT_GT(tree.total(i).count.fft, 0);
        }
    }

    EXPECT_EQ(inBlocks, 12 * 4'725'504);
    EXPECT_EQ(inMixers, 0);
}

TEST(FnetBase, CannotDecodeAndSaysWhy)
{
    Scenario scenario{*presetNamed("fnet-base"), {.phase = Phase::decode, .context = 100}};

    const Status status = validated(scenario);

    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().message,
              "phase: Fourier mixing in blocks[0] mixes whole sequences and has no cache to decode "
              "from; use prefill");
    repair(scenario);
    EXPECT_TRUE(scenario.workload.phase == Phase::prefill);
    EXPECT_TRUE(validated(scenario).ok());
}

Count flops(const Scenario& scenario, LensId lensId, PairsRule pairs)
{
    return priced(lensId, costTree(scenario, pairs).total().count);
}

// nanoGPT's notebook and torch's counter give 291,648,307,200 for this pass.
TEST(Gpt2Small, HasTheKnownMatmulFlopsOf1024Tokens)
{
    const Scenario scenario{*presetNamed("gpt2"), {}};

    EXPECT_EQ(flops(scenario, LensId::matmul, PairsRule::full), 291'648'307'200);
    EXPECT_EQ(flops(scenario, LensId::mac, PairsRule::full), 145'824'153'600);
    EXPECT_EQ(flops(scenario, LensId::matmul, PairsRule::exact), 272'339'828'736);
}

TEST(Gpt2Medium, MatchesAnIndependentCountInPrefillAndDecode)
{
    Scenario scenario{*presetNamed("gpt2-medium"), {}};

    scenario.workload.sequence = 128;
    EXPECT_EQ(flops(scenario, LensId::matmul, PairsRule::full), 92'094'595'072);
    EXPECT_EQ(flops(scenario, LensId::matmul, PairsRule::exact), 91'295'580'160);

    scenario.workload = {.phase = Phase::decode, .context = 2048};
    EXPECT_EQ(flops(scenario, LensId::matmul, PairsRule::full), 908'232'704);
}

TEST(BertBase, MatchesAnIndependentCount)
{
    Scenario scenario{*presetNamed("bert-base"), {}};
    scenario.workload.sequence = 128;

    EXPECT_EQ(flops(scenario, LensId::matmul, PairsRule::full), 22'348'431'360);
    EXPECT_EQ(flops(scenario, LensId::matmul, PairsRule::exact), 22'348'431'360);
}

// ViT papers and torchvision print this number as FLOPs.
TEST(VitBase16, HasThePublishedMacsWhateverTheSequence)
{
    for (const int sequence : {1, 1024}) {
        const Scenario scenario{*presetNamed("vit-base-patch16-224"), {.sequence = sequence}};

        EXPECT_EQ(flops(scenario, LensId::mac, PairsRule::exact), 17'563'828'224);
        EXPECT_EQ(scenario.queryTokens(), 197);
    }
}

TEST(AlbertBase, DoesTheWorkOfBertBase)
{
    const auto blocks = [](std::string_view id) {
        const CostTree<Count> tree = costTree(Scenario{*presetNamed(id), {.sequence = 128}});
        for (int i = 0; i < tree.size(); ++i) {
            if (tree.path(i) == "blocks[0]") {
                return tree.node(i).repeat * tree.total(i).count.mac;
            }
        }
        return Count{0};
    };

    EXPECT_EQ(blocks("albert-base"), blocks("bert-base"));
    EXPECT_GT(blocks("albert-base"), 0);
}

TEST(Presets, AreAllValidAndDifferentlyNamed)
{
    std::vector<std::string_view> ids;
    for (const Preset& preset : presets()) {
        const Status status = validated({preset.make(), {}});
        EXPECT_TRUE(status.ok()) << preset.id << ": " << (status ? "" : status.error().message);
        EXPECT_EQ(std::count(ids.begin(), ids.end(), preset.id), 0) << preset.id;
        ids.push_back(preset.id);
    }
}

// Blocks that come in turn are a pattern, as in an import; a pattern changes no count.
TEST(Presets, HaveThePatternsThatAreInThem)
{
    for (const Preset& preset : presets()) {
        const Model model = preset.make();
        Model flat = model;
        flat.patterns.clear();

        EXPECT_EQ(model.patterns, foundPatterns(model.runs)) << preset.id;
        for (const Phase phase : {Phase::prefill, Phase::train}) {
            EXPECT_EQ(costTree(Scenario{model, {.phase = phase}}).total(),
                      costTree(Scenario{flat, {.phase = phase}}).total())
                << preset.id;
        }
    }
    EXPECT_EQ(presetNamed("gemma-2-2b")->patterns, (std::vector<Pattern>{{0, 2, 13}}));
}

} // namespace
} // namespace flopsmith
