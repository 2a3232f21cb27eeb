// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/no_ffn.h"
#include "core/json/json_text.h"
#include "core/json/spec_json.h"
#include "core/layer/norm_cost.h"
#include "core/lens/cost_summary.h"
#include "core/mixer/cross_attention.h"
#include "core/model/model_cost.h"
#include "core/model/operation.h"
#include "core/model/presets.h"
#include "core/parameter/parameter_table.h"
#include "core/parameter/validation.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith {
namespace {

Scenario oneBlock(const Block& block)
{
    Scenario scenario{.model = *presetNamed("tiny"), .workload = {.batch = 2, .sequence = 5}};
    scenario.model.runs = {{block, 1}};
    return scenario;
}

Block tinyBlock()
{
    return presetNamed("tiny")->runs.front().block;
}

// Names of the parts of the first block, in order.
std::string partsOf(const Block& block)
{
    std::string names;
    forEachPart(block, [&](const BlockPart& part) {
        names += (names.empty() ? "" : " ") + std::string(part.name);
    });
    return names;
}

OpCount<Count> countOf(const Block& block)
{
    return costTree(oneBlock(block)).total().count;
}

TEST(BlockParts, FollowThePlacementOfNorms)
{
    Block block = tinyBlock();
    const auto placed = [&](NormPlacement placement) {
        block.placement = placement;
        return partsOf(block);
    };

    EXPECT_EQ(placed(NormPlacement::pre),
              "mixer_norm attention mixer_residual ffn_norm ffn ffn_residual");
    EXPECT_EQ(placed(NormPlacement::post),
              "attention mixer_residual mixer_norm ffn ffn_residual ffn_norm");
    EXPECT_EQ(placed(NormPlacement::output),
              "attention mixer_norm mixer_residual ffn ffn_norm ffn_residual");
    EXPECT_EQ(placed(NormPlacement::sandwich),
              "mixer_norm attention mixer_output_norm mixer_residual "
              "ffn_norm ffn ffn_output_norm ffn_residual");
}

TEST(BlockParts, StandSideBySideBehindOneNormOrTwo)
{
    Block block = tinyBlock();
    block.layout = BlockLayout::parallel;
    EXPECT_EQ(partsOf(block), "mixer_norm attention ffn_norm ffn residual");

    block.oneNorm = true;
    EXPECT_EQ(partsOf(block), "norm attention ffn residual");
}

TEST(BlockParts, WithoutAnFfnNothingIsParallel)
{
    Block block = tinyBlock();
    block.ffn = NoFfn{};
    const std::string sequential = partsOf(block);
    block.layout = BlockLayout::parallel;
    block.oneNorm = true;

    EXPECT_EQ(partsOf(block), sequential);
}

TEST(BlockCost, DependsOnWhereNormsStandOnlyByHowManyThereAre)
{
    Block block = tinyBlock();
    const OpCount<Count> pre = countOf(block);
    const OpCount<Count> norm = normCount<Count>(block.norm, 10, 64);
    for (const NormPlacement placement : {NormPlacement::post, NormPlacement::output}) {
        block.placement = placement;
        EXPECT_TRUE(countOf(block) == pre) << enumName(placement);
    }

    block.placement = NormPlacement::sandwich;
    EXPECT_TRUE(countOf(block) == pre + Count{2} * norm);

    block.placement = NormPlacement::pre;
    block.layout = BlockLayout::parallel;
    EXPECT_TRUE(countOf(block) == pre); // one residual sum of three, twice the additions
    block.oneNorm = true;
    EXPECT_TRUE(countOf(block) + norm == pre);
}

TEST(BlockCost, ScaledResidualsMultiplyOncePerElementAndSum)
{
    Block block = tinyBlock();
    const OpCount<Count> plain = countOf(block);

    block.residualScale = true;
    EXPECT_TRUE(countOf(block) == (plain + OpCount<Count>{.mul = 2 * 10 * 64}));
    block.layout = BlockLayout::parallel;
    EXPECT_TRUE(countOf(block) == (plain + OpCount<Count>{.mul = 10 * 64}));
}

std::vector<std::string> paths(const std::vector<MeasuredPart>& parts)
{
    std::vector<std::string> all;
    for (const MeasuredPart& part : parts) {
        all.push_back(part.path);
    }
    return all;
}

bool contains(const std::vector<std::string>& all, const std::string& path)
{
    return std::find(all.begin(), all.end(), path) != all.end();
}

Count executed(const Scenario& scenario)
{
    return priced(LensId::exact, costTree(scenario).total().count);
}

// What is measured is all that is counted.
TEST(MeasuredParts, CostAsMuchAsTheModel)
{
    for (const Preset& preset : presets()) {
        for (const Phase phase : {Phase::prefill, Phase::decode}) {
            Scenario scenario{preset.make(), {.phase = phase, .batch = 2, .sequence = 30}};
            repair(scenario);
            Count sum = 0;
            for (const MeasuredPart& part : measuredParts(scenario)) {
                if (part.addsToTotal()) {
                    sum +=
                        part.uses * priced(LensId::exact, costTree(part.operation).total().count);
                }
            }
            EXPECT_EQ(digits(sum), digits(executed(scenario))) << preset.id;
        }
    }
}

TEST(EncoderDecoder, RunsItsEncoderInPrefillOnly)
{
    Scenario scenario{*presetNamed("t5-small"), {.sequence = 40}};
    const auto prefill = paths(measuredParts(scenario));
    EXPECT_TRUE(contains(prefill, "blocks[0]/attention"));
    EXPECT_TRUE(contains(prefill, "blocks[6]/cross_attention"));

    const Count parameters = costTree(scenario).total().parameters.trainable;
    scenario.workload.phase = Phase::decode;
    const auto decode = paths(measuredParts(scenario));
    EXPECT_FALSE(contains(decode, "blocks[0]/attention"));
    EXPECT_TRUE(contains(decode, "decoder_embedding"));
    EXPECT_TRUE(costTree(scenario).total().parameters.trainable == parameters);
}

TEST(EncoderDecoder, ReadsASourceOfItsOwnLength)
{
    Scenario scenario{*presetNamed("t5-small"), {.sequence = 40}};
    const Count asLong = executed(scenario);
    scenario.workload.source = 40;
    EXPECT_EQ(digits(executed(scenario)), digits(asLong));

    scenario.workload.source = 41;
    EXPECT_TRUE(executed(scenario) > asLong);
    for (const MeasuredPart& part : measuredParts(scenario)) {
        if (part.path == "blocks[6]/cross_attention") {
            EXPECT_EQ(part.operation.source, 41);
            EXPECT_EQ(part.operation.sequence, 40);
        } else if (part.path == "blocks[0]/attention") {
            EXPECT_EQ(part.operation.sequence, 41);
        }
    }
}

TEST(EncoderDecoder, CachesPerTokenWhatTheDecoderAppends)
{
    const Scenario scenario{*presetNamed("t5-small"), {.sequence = 40, .source = 7}};

    const CostSummary sum = summary(costTree(scenario), scenario, LensId::exact);

    EXPECT_EQ(digits(sum.kvCacheBytesPerToken), digits(Count{6} * 2 * 512 * 4));
}

std::string problemOf(const Scenario& scenario)
{
    const Status status = validated(scenario);
    return status ? "" : status.error().message;
}

TEST(Validation, ExplainsWhereHalvesOfAModelBelong)
{
    Scenario scenario{*presetNamed("t5-small"), {}};
    EXPECT_EQ(problemOf(scenario), "");

    std::swap(scenario.model.runs.front(), scenario.model.runs.back());
    EXPECT_NE(problemOf(scenario).find("encoder blocks come first"), std::string::npos);

    scenario = {*presetNamed("gpt2"), {}};
    scenario.model.runs.front().block.stack = Stack::encoder;
    EXPECT_NE(problemOf(scenario).find("no decoder block behind them"), std::string::npos);
}

TEST(Validation, ExplainsWhereCrossAttentionBelongs)
{
    Scenario scenario{*presetNamed("gpt2"), {}};
    scenario.model.runs.front().block.cross = CrossAttention{.heads = 12, .kvHeads = 12};
    EXPECT_NE(problemOf(scenario).find("needs an encoder's output"), std::string::npos);

    scenario = {*presetNamed("gpt2"), {}};
    scenario.model.runs.front().block.mixer = CrossAttention{.heads = 12, .kvHeads = 12};
    EXPECT_NE(problemOf(scenario).find("belongs into the block's cross slot"), std::string::npos);

    scenario = {*presetNamed("t5-small"), {}};
    scenario.model.runs.back().block.cross = Attention{};
    EXPECT_NE(problemOf(scenario).find("belongs into the block's mixer slot"), std::string::npos);
}

TEST(Repairing, KeepsImagesAndNarrowTablesLegal)
{
    Scenario scenario{*presetNamed("gpt2"), {.phase = Phase::decode, .context = 9}};
    ASSERT_TRUE(setParameter(scenario, "input", "patches").ok());
    repair(scenario);
    EXPECT_EQ(problemOf(scenario), "");
    EXPECT_TRUE(scenario.workload.phase == Phase::prefill);
    EXPECT_FALSE(scenario.model.head.isLm());

    scenario = {*presetNamed("gpt2"), {}};
    ASSERT_TRUE(setParameter(scenario, "embedding_width", "128").ok());
    EXPECT_NE(problemOf(scenario), "");
    repair(scenario);
    EXPECT_EQ(problemOf(scenario), "");
    EXPECT_TRUE(scenario.model.embedding.projects());
    EXPECT_TRUE(scenario.model.head.projection);
}

// Files of before there were halves, layouts and images.
TEST(SpecJson, ReadsModelsThatSayNothingOfStructure)
{
    const auto json = parsedJson(R"({"model": {"d_model": 64, "embedding": {"vocab": 9},
        "blocks": [{"repeat": 2, "norm_placement": "post",
                    "mixer": {"kind": "attention", "heads": 4, "kv_heads": 4},
                    "ffn": {"kind": "dense", "d_ff": 32}}],
        "head": {"head": "lm", "head_tied": false}}})",
                                 "file");
    ASSERT_TRUE(json.ok());

    const auto scenario = scenarioFromJson(*json, "file");

    ASSERT_TRUE(scenario.ok()) << scenario.error().message;
    EXPECT_EQ(problemOf(*scenario), "");
    EXPECT_FALSE(scenario->model.hasEncoder());
    EXPECT_FALSE(scenario->model.runs.front().block.isParallel());
    EXPECT_EQ(scenario->queryTokens(), scenario->workload.sequence);
}

TEST(SpecJson, KeepsEveryStructure)
{
    Scenario scenario{*presetNamed("t5-small"), {.source = 3}};
    scenario.model.runs.back().block.placement = NormPlacement::sandwich;
    scenario.model.runs.back().block.residualScale = true;
    scenario.model.head.transform = true;
    scenario.model.head.norm = Norm::rms();
    scenario.model.encoderNorm = Norm{};

    const auto read = scenarioFromJson(*parsedJson(jsonText(toJson(scenario)), "test"), "test");

    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(*read, scenario);
}

} // namespace
} // namespace flopsmith
