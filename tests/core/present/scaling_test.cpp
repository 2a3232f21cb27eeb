// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/study/scaling.h"

#include "core/ffn/dense.h"
#include "core/mixer/attention.h"
#include "core/mixer/no_mixer.h"
#include "core/parameter/parameter_table.h"
#include "core/study/sweep/sweep.h"
#include "core/study/variation/axis_text.h"
#include "tests/core/present/scenarios.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith {
namespace {

using test::scenarioOf;
using testing::HasSubstr;

ScalingChart chartOf(const Scenario& scenario,
                     std::string_view key,
                     MetricId metric = MetricId::flops,
                     LensId lens = LensId::exact)
{
    return scalingChart(usualVariants(scenario),
                        {.metric = metric, .lens = lens, .axis = usualAxis(scenario, key).value()});
}

TEST(Scaling, ACurveThatIsKeptIsTheOneDrawnAnew)
{
    const std::vector<ComparedDesign> designs{
        {.name = "gpt2", .scenario = scenarioOf("gpt2")},
        {.name = "A Llama", .scenario = scenarioOf("llama-3-8b"), .letter = "A"}};
    const std::vector<ScalingVariant> variants = designVariants(designs);
    KeptCurves kept;
    for (const MetricId metric : {MetricId::flops, MetricId::params}) {
        for (const LensId lens : {LensId::exact, LensId::mac}) {
            const ScalingRequest request{.metric = metric,
                                         .lens = lens,
                                         .axis = usualAxis(designs[0].scenario, "seq").value()};
            EXPECT_EQ(kept.find(variants[1], request), nullptr);
            for (int step = 0; step < 2; ++step) {
                const ScalingChart chart = scalingChart(variants, request, &kept);
                ASSERT_NE(kept.find(variants[1], request), nullptr);
                EXPECT_EQ(kept.find(variants[0], request), nullptr) << "the first one changes";
                EXPECT_EQ(chart.curves.at(1).points,
                          scalingChart(variants, request).curves.at(1).points);
                EXPECT_EQ(chart.curves[1].title, "A Llama");
                EXPECT_NE(chart.curves[1].dash, Dash::solid);
            }
        }
    }
}

// Two kinds of blocks in turn: equal ones stand apart.
Scenario alternating(Phase phase)
{
    Scenario scenario = scenarioOf("gpt2-half-swapped");
    const BlockRun dense{scenario.model.runs[0].block, 1};
    const BlockRun cheap{scenario.model.runs[1].block, 2};
    scenario.model.runs = {dense, cheap, dense, cheap, dense};
    scenario.workload.phase = phase;
    return scenario;
}

TEST(Scaling, CurvesAreThoseOfTheModelItselfInWhateverOrderItsBlocksStand)
{
    const MetricHardware on{*hardwareNamed("h100-sxm")};
    for (const Phase phase : {Phase::prefill, Phase::decode, Phase::train}) {
        const Scenario scenario = alternating(phase);
        for (const char* key : {"seq", "d_model", "k_freq", "layers", "repeat", "share_group"}) {
            const Axis axis = usualAxis(scenario, key).value();
            for (const LensId lens : {LensId::exact, LensId::fvcore, LensId::kaplan}) {
                for (const Metric& metric : metrics()) {
                    const ScalingRequest request{
                        .metric = metric.id, .lens = lens, .axis = axis, .on = on};
                    if (!computable(metric.id, request.basis())) {
                        continue;
                    }
                    const ScalingVariant variant{.title = "own", .scenario = scenario};
                    const ScalingChart chart = scalingChart({&variant, 1}, request);
                    const auto points = sweepPoints({.base = scenario,
                                                     .axes = {axis},
                                                     .lens = lens,
                                                     .pairs = flopsmith::lens(lens).pairs,
                                                     .metrics = {metric.id},
                                                     .on = on});
                    ASSERT_TRUE(points.ok());
                    std::vector<double> expected;
                    for (const SweepPoint& point : *points) {
                        const bool shown = point.possible() && toDouble(point.values.front()) > 0.0;
                        if (shown) {
                            expected.push_back(toDouble(point.values.front()));
                        }
                    }
                    ASSERT_EQ(chart.curves.front().points.size(), expected.size())
                        << key << " " << metric.name;
                    for (std::size_t i = 0; i < expected.size(); ++i) {
                        EXPECT_DOUBLE_EQ(chart.curves.front().points[i].y, expected[i])
                            << key << " " << metric.name << " " << i;
                    }
                }
            }
        }
    }
}

TEST(Scaling, ReasonsNameBlocksByTheirPlacesInTheModel)
{
    const Scenario scenario = alternating(Phase::prefill);
    const Axis axis = axisOfTexts(scenario, "d_model", {"768", "96"}, AxisValues::any).value();
    const ScalingVariant variant{.title = "own", .scenario = scenario};

    const ScalingChart chart = scalingChart({&variant, 1}, {.axis = axis});

    ASSERT_FALSE(chart.notes.empty());
    EXPECT_THAT(chart.notes.front(), HasSubstr("blocks[4].ffn")); // the second cheap run
}

TEST(Scaling, UsualAxisOfASequenceIsSixDoublings)
{
    const Axis axis = usualAxis(scenarioOf("gpt2"), "seq").value();

    EXPECT_EQ(axis.values.front(), FieldValue(std::int64_t{128}));
    EXPECT_EQ(axis.values.back(), FieldValue(std::int64_t{8192}));
}

TEST(Scaling, UsualAxisRestsWhileTheValueMovesALittle)
{
    EXPECT_EQ(usualAxis(scenarioOf("gpt2", 512), "seq").value(),
              usualAxis(scenarioOf("gpt2", 2048), "seq").value());
    EXPECT_NE(usualAxis(scenarioOf("gpt2", 512), "seq").value(),
              usualAxis(scenarioOf("gpt2", 8192), "seq").value());
}

TEST(Scaling, EveryNumberHasAUsualAxisThatHoldsItsValue)
{
    for (const Preset& preset : presets()) {
        const Scenario scenario = scenarioOf(preset.id);
        for (const Parameter& parameter : allParameters(scenario)) {
            const FieldValue value = parameter.value(scenario);
            if (!parameter.applies(scenario) || !std::holds_alternative<std::int64_t>(value)) {
                continue;
            }
            const auto axis = usualAxis(scenario, parameter.key);
            ASSERT_TRUE(axis.ok()) << parameter.key;
            EXPECT_LE(std::get<std::int64_t>(axis->values.front()), std::get<std::int64_t>(value))
                << preset.id << " " << parameter.key;
            EXPECT_GE(std::get<std::int64_t>(axis->values.back()), std::get<std::int64_t>(value))
                << preset.id << " " << parameter.key;
        }
    }
}

TEST(Scaling, ImagesGrowByTheirSize)
{
    for (const Preset& preset : presets()) {
        const Scenario scenario = scenarioOf(preset.id);
        EXPECT_TRUE(usualAxis(scenario, lengthKey(scenario)).ok()) << preset.id;
    }
    EXPECT_EQ(lengthKey(scenarioOf("vit-base-patch16-224")), "image_size");
}

TEST(Scaling, PointsAreTheCostsOfTheScenarioAtEachValue)
{
    const Scenario scenario = scenarioOf("gpt2");

    const ScalingChart chart = chartOf(scenario, "seq", MetricId::flops, LensId::matmul);

    const ScalingCurve& own = chart.curves.front();
    EXPECT_EQ(own.title, "GPT-2 small");
    const auto at1024 = std::find_if(
        own.points.begin(), own.points.end(), [](const auto& point) { return point.x == 1024.0; });
    ASSERT_NE(at1024, own.points.end());
    EXPECT_EQ(at1024->y, 291648307200.0);
    ASSERT_TRUE(chart.marker.has_value());
    EXPECT_EQ(chart.marker->y, 291648307200.0);
    EXPECT_EQ(chart.marker->text, "S = 1024: 291.6 GFLOPs");
    EXPECT_EQ(chart.xTitle, "sequence S (tokens)");
    EXPECT_EQ(chart.yTitle, "FLOPs, matmul");
}

TEST(Scaling, CurvesFollowTies)
{
    const Scenario gpt2 = scenarioOf("gpt2");
    const std::vector<Tie> ties{{.key = "d_ff", .factor = 4, .source = "d_model"},
                                {.key = "heads", .factor = 1.0 / 64, .source = "d_model"},
                                {.key = "kv_heads", .factor = 1.0 / 64, .source = "d_model"}};
    const Axis axis = *parsedAxis("d_model=640,768,1024", gpt2, AxisValues::any);

    const ScalingChart chart =
        scalingChart(usualVariants(gpt2, ties), {.metric = MetricId::params, .axis = axis});

    EXPECT_THAT(chart.notes, testing::IsEmpty()) << "12 heads do not divide 640, 10 do";
    const std::vector<ScalingPoint>& points = chart.curves.at(0).points;
    ASSERT_EQ(points.size(), 3U);
    for (const ScalingPoint& point : points) {
        Scenario tied = gpt2;
        tied.model.dModel = static_cast<int>(point.x);
        Block& block = tied.model.runs[0].block;
        get<DenseFfn>(block.ffn).dFf = 4 * tied.model.dModel;
        get<Attention>(block.mixer).heads = tied.model.dModel / 64;
        get<Attention>(block.mixer).kvHeads = tied.model.dModel / 64;
        EXPECT_EQ(point.y, toDouble(costTree(tied).total().parameters.trainable)) << point.x;
    }
    EXPECT_EQ(chart.curves.at(1).points.size(), 3U) << "another FFN has no d_ff, but heads";
}

TEST(Scaling, SlopeLiesBetweenLinearAndQuadraticInTheSequence)
{
    const ScalingChart chart = chartOf(scenarioOf("gpt2"), "seq");

    ASSERT_TRUE(chart.curves.front().slope.has_value());
    EXPECT_GT(*chart.curves.front().slope, 1.0);
    EXPECT_LT(*chart.curves.front().slope, 2.0);
    EXPECT_THAT(chart.curves.front().slopeText, testing::StartsWith("slope 1."));
}

TEST(Scaling, ComparesASwappedModelWithDenseAndWithAttentionAlone)
{
    const auto variants = usualVariants(scenarioOf("gpt2-half-swapped"));

    ASSERT_EQ(variants.size(), 3U);
    EXPECT_EQ(variants[0].component->id, "spectral");
    EXPECT_EQ(variants[1].title, "all dense");
    EXPECT_EQ(variants[1].scenario.model.runs.back().block.ffn, FfnSpec(DenseFfn{}));
    EXPECT_EQ(variants[2].title, "Attention only");
}

TEST(Scaling, ComparesADenseModelWithUltraEfficientFfns)
{
    const auto variants = usualVariants(scenarioOf("llama-3-8b"));

    ASSERT_EQ(variants.size(), 3U);
    EXPECT_EQ(variants[1].title, "ultra-efficient FFNs");
}

TEST(Scaling, AVariantWithoutTheParameterIsAConstantLine)
{
    const ScalingChart chart = chartOf(scenarioOf("gpt2-half-swapped"), "k_freq");

    const ScalingCurve& dense = chart.curves.at(1);
    ASSERT_EQ(dense.points.size(), 2U);
    EXPECT_EQ(dense.points[0].y, dense.points[1].y);
    EXPECT_NEAR(*dense.slope, 0.0, 1e-12);
}

TEST(Scaling, ZerosAreLeftOutAndReported)
{
    Scenario scenario = scenarioOf("gpt2");
    for (BlockRun& run : scenario.model.runs) {
        run.block.mixer = NoMixer{};
    }
    const ScalingChart chart = chartOf(scenario, "seq", MetricId::kvCacheBytesPerToken);

    EXPECT_TRUE(chart.empty());
    EXPECT_NE(chart.emptyText, "");
    ASSERT_FALSE(chart.notes.empty());
    EXPECT_THAT(chart.notes.front(), HasSubstr("no place for 0"));
    EXPECT_GT(chart.yAxis(5).high, chart.yAxis(5).low); // still safe to draw
}

TEST(Scaling, ImpossibleValuesAreLeftOutAndReported)
{
    const Scenario scenario = scenarioOf("gpt2-half-swapped");
    Axis axis = usualAxis(scenario, "d_model").value();
    axis.values.insert(axis.values.begin(), FieldValue(std::int64_t{12})); // k_freq 64 > 7 bins

    const ScalingChart chart = scalingChart(usualVariants(scenario), {.axis = axis});

    EXPECT_LT(chart.curves.front().points.size(), axis.values.size());
    ASSERT_FALSE(chart.notes.empty());
    EXPECT_THAT(chart.notes.front(), HasSubstr("left out"));
}

TEST(Scaling, BytesHaveTheirUnitOnTheAxis)
{
    const ScalingChart chart = chartOf(scenarioOf("gpt2"), "layers", MetricId::weightBytes);

    EXPECT_THAT(chart.yAxis(5).ticks.front().label, testing::EndsWith(" MB"));
}

TEST(Scaling, ACurveOfAChangedPresetSaysThatItIsChanged)
{
    Scenario scenario{*presetNamed("gpt2"), {}};
    EXPECT_EQ(usualVariants(scenario).front().title, scenario.model.name);

    scenario.model.dModel = 1536;
    EXPECT_EQ(usualVariants(scenario).front().title, scenario.model.name + ", changed");

    scenario.model.name = "my own";
    EXPECT_EQ(usualVariants(scenario).front().title, "my own");
}

} // namespace
} // namespace flopsmith
