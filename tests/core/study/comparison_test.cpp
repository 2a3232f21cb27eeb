// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/compare/comparison.h"

#include "core/budget/memory.h"
#include "core/ffn/dense.h"
#include "core/lens/lens_total.h"
#include "core/model/presets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace flopsmith {
namespace {

ComparedDesign designOf(std::string_view preset, Phase phase = Phase::prefill)
{
    return {std::string(preset),
            {*presetNamed(preset), {.phase = phase, .batch = 2, .sequence = 128}}};
}

Comparison pairOf(std::string_view a, std::string_view b, LensId id = LensId::exact)
{
    return comparison({designOf(a), designOf(b)}, id, lens(id).pairs);
}

const ComparedFigure* figureNamed(const Comparison& of, std::string_view key)
{
    const auto found =
        std::find_if(of.figures.begin(), of.figures.end(), [key](const ComparedFigure& figure) {
            return figure.key == key;
        });
    return found == of.figures.end() ? nullptr : &*found;
}

const ComparedParameter* parameterNamed(const Comparison& of, std::string_view key)
{
    const auto found =
        std::find_if(of.parameters.begin(),
                     of.parameters.end(),
                     [key](const ComparedParameter& parameter) { return parameter.key == key; });
    return found == of.parameters.end() ? nullptr : &*found;
}

Count countIn(const Comparison& of, std::string_view key, std::size_t design)
{
    return std::get<Count>(figureNamed(of, key)->values.at(design).value());
}

MeasuredPass measuredOn(std::string device, std::optional<double> seconds)
{
    MeasuredPass pass{.device = std::move(device)};
    if (seconds) {
        pass.time = PassTime{.seconds = *seconds};
    }
    return pass;
}

ComparedFigure timesOf(const std::vector<MeasuredPass>& passes)
{
    std::vector<ComparedDesign> designs{designOf("gpt2"), designOf("tiny")};
    for (std::size_t i = 0; i < designs.size(); ++i) {
        designs[i].measured = passes[i];
    }
    return comparison(std::move(designs), LensId::exact, PairsRule::exact).figures.back();
}

TEST(Comparison, ComparesTimesOfOneDeviceOnly)
{
    EXPECT_EQ(figureNamed(pairOf("gpt2", "tiny"), "time"), nullptr) << "nobody looked for times";

    const ComparedFigure both =
        timesOf({measuredOn("this CPU", 0.5), measuredOn("this CPU", 0.125)});
    EXPECT_EQ(both.key, "time");
    EXPECT_EQ(toDouble(*both.delta(1)), -0.375);
    EXPECT_EQ(both.ratio(1), 0.25);
    EXPECT_EQ(both.note, "");

    const ComparedFigure mixed = timesOf({measuredOn("this CPU", 0.5), measuredOn("lab", 0.125)});
    EXPECT_FALSE(mixed.values[0] || mixed.values[1]);
    EXPECT_EQ(mixed.note,
              "measured on different devices and not compared: gpt2 on this CPU, tiny on lab");
}

TEST(Comparison, SaysWhichDesignsHaveNoTime)
{
    const ComparedFigure one = timesOf({measuredOn("lab", 0.5), measuredOn("lab", {})});
    EXPECT_EQ(toDouble(one.values[0].value()), 0.5);
    EXPECT_FALSE(one.delta(1));
    EXPECT_EQ(one.note, "not measured on lab: tiny");

    const ComparedFigure none = timesOf({measuredOn("lab", {}), measuredOn("lab", {})});
    EXPECT_EQ(none.note, "not measured on lab");

    MeasuredPass rough = measuredOn("lab", 0.5);
    rough.time->settled = false;
    EXPECT_EQ(timesOf({measuredOn("lab", 1.0), rough}).note, "not settled: tiny");
}

TEST(Comparison, OfADesignWithItselfHasNoDifferences)
{
    for (const Preset& preset : presets()) {
        const Comparison same = pairOf(preset.id, preset.id);

        for (const ComparedFigure& figure : same.figures) {
            ASSERT_TRUE(figure.delta(1)) << preset.id << " " << figure.key;
            EXPECT_EQ(toDouble(*figure.delta(1)), 0.0) << preset.id << " " << figure.key;
            EXPECT_EQ(figure.ratio(1).value_or(1.0), 1.0) << preset.id << " " << figure.key;
        }
        EXPECT_TRUE(same.parameters.empty()) << preset.id;
        ASSERT_EQ(same.stacks.at(1).size(), 1U) << preset.id;
        EXPECT_EQ(same.stacks[1][0].kind, AlignedBlocks::Kind::equal) << preset.id;
    }
}

TEST(Comparison, ComponentsSumUpToTheOperationsUnderEveryLens)
{
    for (const Lens& each : lenses()) {
        const Comparison both = pairOf("gpt2-half-swapped", "t5-small", each.id);
        for (std::size_t design = 0; design < 2; ++design) {
            const Scenario& scenario = both.designs[design].scenario;
            Count sum = 0;
            bool hasParts = false;
            for (const ComparedFigure& figure : both.figures) {
                if (figure.component != nullptr) {
                    sum += std::get<Count>(figure.values.at(design).value());
                    hasParts = true;
                }
            }
            const Count total = countIn(both, "flops", design);
            EXPECT_EQ(hasParts, !each.isFormula()) << each.name;
            EXPECT_TRUE(each.isFormula() || sum == total) << each.name;
            EXPECT_TRUE(total == lensTotal(scenario, each.id).figure.value()) << each.name;
            EXPECT_EQ(figureNamed(both, "flops")->unit, each.unit);
        }
    }
}

TEST(Comparison, ExchangedSidesHaveTheOppositeDifferenceAndTheInverseRatio)
{
    const Comparison there = pairOf("gpt2", "llama-3-8b");
    const Comparison back = pairOf("llama-3-8b", "gpt2");
    for (const ComparedFigure& figure : there.figures) {
        const ComparedFigure* other = figureNamed(back, figure.key);
        ASSERT_NE(other, nullptr) << figure.key;
        EXPECT_EQ(figure.values[0], other->values[1]) << figure.key;
        EXPECT_EQ(toDouble(*figure.delta(1)), -toDouble(*other->delta(1))) << figure.key;
        ASSERT_EQ(figure.ratio(1).has_value(), other->ratio(1).has_value()) << figure.key;
        if (figure.ratio(1)) {
            EXPECT_NEAR(*figure.ratio(1) * *other->ratio(1), 1.0, 1e-12) << figure.key;
        }
    }
}

TEST(Comparison, HasNoRatioWhereOneSideIsZero)
{
    const Comparison both = comparison(
        {designOf("gpt2"), designOf("gpt2", Phase::train)}, LensId::exact, PairsRule::exact);
    const ComparedFigure& cache = *figureNamed(both, "kv_cache_bytes");

    EXPECT_TRUE(countIn(both, "kv_cache_bytes", 0)
                == memory(both.designs[0].scenario).total(MemoryKind::kvCache));
    EXPECT_TRUE(countIn(both, "kv_cache_bytes", 1) == 0);
    EXPECT_FALSE(cache.ratio(1));
    EXPECT_FALSE(cache.ratio(0) && *cache.ratio(0) != 1.0);
    EXPECT_LT(toDouble(*cache.delta(1)), 0.0);
    EXPECT_FALSE(figureNamed(both, "flops/optimizer")->ratio(1)) << "nothing is updated in prefill";
}

TEST(Comparison, ListsTheParametersThatDifferAndNoOthers)
{
    const Comparison both = pairOf("gpt2", "llama-3-8b");
    const ComparedParameter* width = parameterNamed(both, "d_model");
    const ComparedParameter* layers = parameterNamed(both, "layers");
    const ComparedParameter* ffn = parameterNamed(both, "ffn");

    ASSERT_NE(width, nullptr);
    EXPECT_EQ(width->readings.at(1)->text, "4096");
    EXPECT_EQ(width->delta(1), 4096.0 - 768.0);
    EXPECT_EQ(width->ratio(1), 4096.0 / 768.0);
    ASSERT_NE(layers, nullptr);
    EXPECT_EQ(layers->delta(1), 20.0);
    ASSERT_NE(ffn, nullptr);
    EXPECT_EQ(ffn->readings.at(1)->text, "gated");
    EXPECT_FALSE(ffn->delta(1)) << "names have no difference";
    EXPECT_NE(parameterNamed(both, "mixer.heads"), nullptr);
    EXPECT_NE(parameterNamed(both, "ffn.d_ff"), nullptr);
    EXPECT_EQ(parameterNamed(both, "batch"), nullptr);
    EXPECT_EQ(parameterNamed(both, "mixer"), nullptr);
}

TEST(Comparison, NamesAllValuesWhereBlocksDiffer)
{
    ComparedDesign mixed = designOf("gpt2");
    const Block& block = mixed.scenario.model.runs.front().block;
    Block narrow = block;
    get<DenseFfn>(narrow.ffn).dFf = 1024;
    mixed.scenario.model.runs = {{block, 6}, {narrow, 6}};

    const Comparison both = comparison({designOf("gpt2"), mixed}, LensId::exact, PairsRule::exact);

    ASSERT_EQ(both.parameters.size(), 1U);
    EXPECT_EQ(both.parameters[0].key, "ffn.d_ff");
    EXPECT_EQ(both.parameters[0].readings.at(1)->text, "3072, 1024");
    EXPECT_FALSE(both.parameters[0].ratio(1));
}

TEST(Comparison, ParametersOfMutedPartsDifferFromNothing)
{
    ComparedDesign muted = designOf("gpt2");
    muted.scenario.model.runs.front().block.ffnMuted = true;
    ComparedDesign narrow = muted;
    get<DenseFfn>(narrow.scenario.model.runs.front().block.ffn).dFf = 1024;

    for (const ComparedDesign& first : {designOf("gpt2"), narrow}) {
        const Comparison both = comparison({first, muted}, LensId::exact, PairsRule::exact);
        EXPECT_EQ(parameterNamed(both, "ffn.d_ff"), nullptr);
        const bool isExecuted = first.scenario.model.runs.front().block.hasFfn();
        EXPECT_EQ(parameterNamed(both, "ffn") != nullptr, isExecuted);
        EXPECT_EQ(both.parameters.size(), isExecuted ? 1U : 0U);
    }
}

TEST(Comparison, TakesATreeThatIsCountedAlreadyAndKeepsItNot)
{
    const ComparedDesign gpt2 = designOf("gpt2");
    ComparedDesign counted = designOf("llama-3-8b");
    const CostTree<Count> tree = costTree(counted.scenario, PairsRule::full);
    counted.tree = &tree;

    const Comparison taken = comparison({gpt2, counted}, LensId::exact, PairsRule::full);
    const Comparison anew =
        comparison({gpt2, designOf("llama-3-8b")}, LensId::exact, PairsRule::full);

    ASSERT_EQ(taken.figures.size(), anew.figures.size());
    for (std::size_t i = 0; i < taken.figures.size(); ++i) {
        EXPECT_EQ(taken.figures[i].values, anew.figures[i].values) << taken.figures[i].key;
    }
    EXPECT_EQ(taken.designs.back().tree, nullptr);
}

TEST(Comparison, PutsUpToFourDesignsBesideTheFirst)
{
    const Comparison four =
        comparison({designOf("gpt2"), designOf("tiny"), designOf("bert-base"), designOf("gpt2")},
                   LensId::matmul,
                   PairsRule::full);

    EXPECT_EQ(four.stacks.size(), 4U);
    for (const ComparedFigure& figure : four.figures) {
        EXPECT_EQ(figure.values.size(), 4U) << figure.key;
        EXPECT_EQ(figure.values.front(), figure.values.back()) << figure.key;
    }
    for (const ComparedParameter& parameter : four.parameters) {
        EXPECT_EQ(parameter.readings.size(), 4U) << parameter.key;
        EXPECT_EQ(parameter.readings.front(), parameter.readings.back()) << parameter.key;
    }
}

} // namespace
} // namespace flopsmith
