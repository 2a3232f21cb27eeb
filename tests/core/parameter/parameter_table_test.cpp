// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/composed.h"
#include "core/ffn/factored/kronecker.h"
#include "core/ffn/moe.h"
#include "core/model/presets.h"
#include "core/parameter/parameter_lookup.h"
#include "core/parameter/validation.h"
#include "tests/core/parameter/lookup.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

namespace flopsmith {
namespace {

using test::number;
using test::preset;

Scenario withExperts(int experts, int perToken)
{
    Scenario scenario = preset("tiny");
    for (BlockRun& run : scenario.model.runs) {
        run.block.ffn = MoeFfn{.experts = experts, .perToken = perToken};
    }
    return scenario;
}

TEST(ParameterTable, KeysAreUnique)
{
    for (const Preset& each : presets()) {
        const Scenario scenario = preset(each.id);
        std::vector<std::string> keys;
        for (const Parameter& parameter : allParameters(scenario)) {
            EXPECT_EQ(std::count(keys.begin(), keys.end(), parameter.key), 0) << parameter.key;
            EXPECT_FALSE(parameter.text.label.empty()) << parameter.key;
            EXPECT_FALSE(parameter.text.help.empty()) << parameter.key;
            keys.push_back(parameter.key);
        }
    }
}

std::vector<std::string> keysOf(const Scenario& scenario)
{
    std::vector<std::string> keys;
    for (const ParameterList& part : parameterTable(scenario)) {
        for (const Parameter& parameter : *part) {
            keys.push_back(parameter.key + " " + parameter.group);
        }
    }
    return keys;
}

std::vector<std::string> keysOfFreshThread(const Scenario& scenario)
{
    std::vector<std::string> keys;
    std::thread([&] { keys = keysOf(scenario); }).join(); // it keeps no lists yet
    return keys;
}

TEST(ParameterTable, ListsThatAreKeptAreThoseOfTheStructure)
{
    for (int round = 0; round < 2; ++round) { // the second finds what the first has left
        for (const Preset& each : presets()) {
            const Scenario scenario = preset(each.id);
            EXPECT_EQ(keysOf(scenario), keysOfFreshThread(scenario)) << each.id;
        }
    }
}

TEST(ParameterTable, AListIsBuiltOncePerStructureAndAnewForAnother)
{
    Scenario scenario = preset("gpt2-half-swapped");
    const ParameterList before = blockParameterList(scenario, 1);

    scenario.model.dModel = 1024;
    EXPECT_EQ(blockParameterList(scenario, 1), before);

    scenario.model.runs[0].repeat = 5; // the keys name the run's first block
    EXPECT_EQ(blockParameterList(scenario, 1)->front().key, "blocks[5].repeat");

    scenario.model.runs[0].repeat = 6;
    get<ComposedFfn>(scenario.model.runs[1].block.ffn).stages.pop_back();
    EXPECT_LT(blockParameterList(scenario, 1)->size(), before->size());
}

TEST(ParameterTable, ShortKeysMeanEveryBlockThatHasThem)
{
    Scenario scenario = preset("gpt2-half-swapped");

    ASSERT_TRUE(setParameter(scenario, "k_freq", "32").ok());
    EXPECT_EQ(number(scenario, "ffn.k_freq"), 32);
    EXPECT_EQ(number(scenario, "blocks[6].ffn.spectral.k_freq"), 32);
    EXPECT_EQ(number(scenario, "blocks[9].k_freq"), 32);
    EXPECT_TRUE(matchingParameters(scenario, "blocks[2].k_freq").empty());
    EXPECT_TRUE(matchingParameters(scenario, "mixer.k_freq").empty());
}

TEST(ParameterTable, TheFirstOfAKeyIsFoundAlone)
{
    const Scenario scenario = preset("gpt2-half-swapped");

    for (const char* key : {"d_model", "heads", "seq", "blocks[9].k_freq", "ffn.d_ff"}) {
        const auto all = matchingParameters(scenario, key);
        const auto first = firstParameter(scenario, key);
        ASSERT_TRUE(first.has_value() && !all.empty()) << key;
        EXPECT_EQ(first->key, all.front().key);
    }
    EXPECT_FALSE(firstParameter(scenario, "mixer.k_freq").has_value());
    EXPECT_FALSE(firstParameter(scenario, "blocks[99].k_freq").has_value());
}

// The key that is listed for a run sets the whole run; that of one block splits it.
TEST(ParameterTable, AKeyMayNameSomeBlocks)
{
    Scenario scenario = preset("gpt2-half-swapped");
    const std::size_t runs = scenario.model.runs.size();

    ASSERT_TRUE(setParameter(scenario, "blocks[0-5].d_ff", "1024").ok());
    EXPECT_EQ(scenario.model.runs.size(), runs);
    EXPECT_EQ(number(scenario, "blocks[5].d_ff"), 1024);
    ASSERT_TRUE(setParameter(scenario, "blocks[2-8].heads", "6").ok());
    EXPECT_EQ(number(scenario, "blocks[1].heads"), 12);
    EXPECT_EQ(number(scenario, "blocks[2].heads"), 6);
    EXPECT_EQ(number(scenario, "blocks[8].heads"), 6);
    EXPECT_EQ(number(scenario, "blocks[9].heads"), 12);
    for (const char* wrong : {"blocks[5-0].d_ff", "blocks[0-12].d_ff", "blocks[0-].d_ff"}) {
        EXPECT_FALSE(setParameter(scenario, wrong, "8").ok()) << wrong;
    }
}

TEST(ParameterTable, ListsKeysThatSetWholeRuns)
{
    for (const Preset& each : presets()) {
        const Scenario scenario = preset(each.id);
        for (const Parameter& parameter : allParameters(scenario)) {
            const std::string key = keyOfWholeRun(scenario, parameter);
            Scenario set = scenario;
            isolateNamedBlocks(set.model, key);
            EXPECT_EQ(set.model.runs, scenario.model.runs) << key; // a pattern may be forgotten
            if (parameter.applies(scenario)) {
                ASSERT_FALSE(matchingParameters(scenario, key).empty()) << key;
                EXPECT_EQ(matchingParameters(scenario, key).front().key, parameter.key) << key;
            }
        }
    }
}

TEST(ParameterTable, SettingOneBlockSplitsItsRun)
{
    Scenario scenario = preset("gpt2");

    ASSERT_TRUE(setParameter(scenario, "blocks[3].d_ff", "1024").ok());

    ASSERT_EQ(scenario.model.runs.size(), 3U);
    EXPECT_EQ(scenario.model.runs[0].repeat, 3);
    EXPECT_EQ(get<DenseFfn>(scenario.model.runs[1].block.ffn).dFf, 1024);
    EXPECT_EQ(scenario.model.runs[2].repeat, 8);

    ASSERT_TRUE(setParameter(scenario, "blocks[3].d_ff", "3072").ok());
    EXPECT_EQ(scenario, preset("gpt2"));
}

TEST(ParameterTable, WrongSettingsAreSentencesAndChangeNothing)
{
    Scenario scenario = preset("gpt2");
    const Scenario before = scenario;

    EXPECT_NE(setParameter(scenario, "k_freq", "3").error().message.find("no such parameter"),
              std::string::npos);
    EXPECT_NE(setParameter(scenario, "d_ff", "3.5").error().message.find("whole number"),
              std::string::npos);
    EXPECT_NE(setParameter(scenario, "d_ff", "99999999999").error().message.find("whole number"),
              std::string::npos);
    EXPECT_NE(setParameter(scenario, "activation", "swish").error().message.find("silu"),
              std::string::npos);
    EXPECT_NE(setParameter(scenario, "causal", "perhaps").error().message.find("true or false"),
              std::string::npos);
    EXPECT_FALSE(setParameter(scenario, "blocks[12].d_ff", "8").ok());
    EXPECT_FALSE(setParameter(scenario, "", "8").ok());
    EXPECT_EQ(scenario, before);
}

TEST(ParameterTable, SetsTheNormsOfEmbeddingAndHead)
{
    Scenario scenario = preset("bert-base");
    scenario.model.head = {.kind = HeadKind::lm, .transform = true};

    ASSERT_TRUE(setParameter(scenario, "embedding_norm", "rms_norm").ok());
    ASSERT_TRUE(setParameter(scenario, "embedding_norm_scale", "false").ok());
    ASSERT_TRUE(setParameter(scenario, "transform_norm_shift", "false").ok());

    EXPECT_EQ(scenario.model.embedding.norm.kind, NormKind::rmsNorm);
    EXPECT_FALSE(scenario.model.embedding.norm.scale);
    EXPECT_EQ(scenario.model.head.norm, (Norm{.shift = false}));
    EXPECT_TRUE(matchingParameters(scenario, "embedding_norm_shift").empty());
    ASSERT_TRUE(setParameter(scenario, "embedding_norm", "none").ok());
    EXPECT_TRUE(matchingParameters(scenario, "embedding_norm_scale").empty());
    ASSERT_TRUE(setParameter(scenario, "head_transform", "false").ok());
    EXPECT_TRUE(matchingParameters(scenario, "transform_norm").empty());
}

// "norm" is every norm of the blocks, and those that the model has around them.
TEST(ParameterTable, PutsNoNormIntoTheEmbeddingWithThoseOfTheBlocks)
{
    Scenario scenario = preset("gpt2");

    ASSERT_TRUE(setParameter(scenario, "norm", "rms_norm").ok());

    EXPECT_EQ(scenario.model.runs.front().block.norm.kind, NormKind::rmsNorm);
    EXPECT_EQ(scenario.model.finalNorm.kind, NormKind::rmsNorm);
    EXPECT_EQ(scenario.model.embedding.norm, Norm::absent());
}

TEST(ParameterTable, LayersSpreadOverTheRunsInProportion)
{
    Scenario scenario = preset("gpt2-half-swapped");

    ASSERT_TRUE(setParameter(scenario, "layers", "20").ok());
    EXPECT_EQ(scenario.model.layers(), 20);
    EXPECT_EQ(scenario.model.runs[0].repeat, 10);

    ASSERT_TRUE(setParameter(scenario, "layers", "2").ok());
    EXPECT_EQ(scenario.model.layers(), 2);
    EXPECT_EQ(scenario.model.runs.size(), 2U);
}

TEST(Repairing, ClampsWhatAShrunkModelCannotHold)
{
    Scenario scenario = preset("gpt2-half-swapped");
    ASSERT_TRUE(setParameter(scenario, "k_freq", "385").ok());
    const auto width = matchingParameters(scenario, "d_model").front();

    setAndRepair(scenario, width, std::int64_t{384});

    EXPECT_EQ(number(scenario, "k_freq"), 193);
    EXPECT_TRUE(validated(scenario).ok());
}

TEST(Repairing, KeepsKeyValueHeadsADivisorOfHeads)
{
    Scenario scenario = preset("llama-3-8b");
    const auto heads = matchingParameters(scenario, "heads").front();

    setAndRepair(scenario, heads, std::int64_t{4});

    EXPECT_EQ(number(scenario, "kv_heads"), 4);
    EXPECT_TRUE(validated(scenario).ok());
}

TEST(Repairing, KeepsTheExpertsOfATokenAmongThoseThereAre)
{
    Scenario scenario = withExperts(64, 8);

    setAndRepair(scenario, matchingParameters(scenario, "experts").front(), std::int64_t{4});

    EXPECT_EQ(number(scenario, "experts_per_token"), 4);
    EXPECT_TRUE(validated(scenario).ok());
}

// A slider can rest at each of its stops: none leads to an invalid model.
TEST(Repairing, EveryStopOfEveryParameterLeadsToAValidModel)
{
    for (const std::string_view id : {"gpt2-half-swapped", "llama-3-8b", "bert-base", "tiny"}) {
        const Scenario scenario = preset(id);
        for (const Parameter& parameter : allParameters(scenario)) {
            const std::vector<FieldValue> stops = parameter.legal(scenario).stops();
            for (std::size_t i = 0; i < stops.size(); i += 1 + stops.size() / 12) {
                Scenario changed = scenario;
                setAndRepair(changed, parameter, stops[i]);
                const Status status = validated(changed);
                EXPECT_TRUE(status.ok()) << id << " " << parameter.key << " = "
                                         << valueText(stops[i]) << ": " << status.error().message;
            }
        }
    }
}

TEST(Validation, ListsEveryProblemWithItsParameterAndTheLegalValues)
{
    Scenario scenario = preset("gpt2-half-swapped");
    ASSERT_TRUE(setParameter(scenario, "heads", "7").ok());
    ASSERT_TRUE(setParameter(scenario, "k_freq", "500").ok());
    ASSERT_TRUE(setParameter(scenario, "poly_keep_ratio", "0").ok());

    std::string keys;
    for (const Problem& problem : problems(scenario)) {
        keys += problem.key + ": " + problem.message + "\n";
    }
    EXPECT_NE(keys.find("blocks[0].mixer.heads: 7 is not legal; legal is a divisor of 768"),
              std::string::npos)
        << keys;
    EXPECT_NE(keys.find("blocks[6].ffn.spectral.k_freq: 500"), std::string::npos) << keys;
    EXPECT_NE(keys.find("poly_keep_ratio: 0 is not legal; legal is above 0, at most 1"),
              std::string::npos)
        << keys;
    EXPECT_FALSE(validated(scenario).ok());
}

TEST(Validation, RefusesMoreExpertsPerTokenThanThereAre)
{
    const Status status = validated(withExperts(4, 5));

    ASSERT_FALSE(status.ok());
    EXPECT_NE(
        status.error().message.find("experts_per_token: 5 is not legal; legal is 1 \xE2\x80\xA6 4"),
        std::string::npos)
        << status.error().message;
}

TEST(Validation, NotesASequenceLongerThanThePositionTable)
{
    Scenario scenario = preset("gpt2");
    scenario.workload.sequence = 2048;

    ASSERT_EQ(problems(scenario).size(), 1U);
    EXPECT_EQ(problems(scenario).front().severity, Problem::Severity::note);
    EXPECT_TRUE(validated(scenario).ok());
}

Scenario withKronecker()
{
    Scenario scenario = preset("gpt2");
    scenario.model.runs.front().block.ffn = KroneckerFfn{.rank = 100};
    return scenario;
}

TEST(Repairing, MovesFactorsThatNoLongerDivide)
{
    Scenario scenario = withKronecker(); // d₁ = 24, f₁ = 48, at most 24·48 terms
    ASSERT_TRUE(validated(scenario).ok());

    setAndRepair(scenario, matchingParameters(scenario, "d_model").front(), std::int64_t{900});
    EXPECT_EQ(number(scenario, "d_1"), 25);
    EXPECT_TRUE(validated(scenario).ok());

    setAndRepair(scenario, matchingParameters(scenario, "d_ff").front(), std::int64_t{11});
    EXPECT_EQ(number(scenario, "f_1"), 11); // prime, and nearer to 48 than 1
    EXPECT_EQ(number(scenario, "ffn.rank"), 36); // d₂·f₂ = 36·1
    EXPECT_TRUE(validated(scenario).ok());
}

TEST(Validation, SaysWhatDividesWhenAFactorDoesNot)
{
    Scenario scenario = withKronecker();
    ASSERT_TRUE(setParameter(scenario, "d_1", "25").ok());

    const Status status = validated(scenario);

    ASSERT_FALSE(status.ok());
    EXPECT_NE(status.error().message.find("25 is not legal; legal is a divisor of 768"),
              std::string::npos)
        << status.error().message;
}

} // namespace
} // namespace flopsmith
