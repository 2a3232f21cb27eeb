// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/inside/inside.h"

#include "core/base/text.h"
#include "core/present/stack/stack.h"
#include "tests/core/present/inside/inside_cases.h"
#include "tests/core/present/scenarios.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace flopsmith {
namespace {

std::vector<std::string> namesInside(const InsidePicture& picture)
{
    std::vector<std::string> names;
    for (const InsideStep* operation : operationsOf(picture)) {
        names.push_back(operation->name);
    }
    return names;
}

const InsideStep& operationNamed(const InsidePicture& picture, std::string_view name)
{
    for (const InsideStep* operation : operationsOf(picture)) {
        if (operation->name == name) {
            return *operation;
        }
    }
    throw std::out_of_range(std::string(name));
}

/// Mixers, FFNs and other parts with a title, in order, stages and experts left out.
void collectParts(const InsideStep& step, std::vector<const InsideStep*>& parts)
{
    if (!step.title.empty()) {
        parts.push_back(&step);
        return;
    }
    for (const InsideStep& inner : step.steps) {
        collectParts(inner, parts);
    }
}

std::vector<const InsideStep*> partsInside(const InsidePicture& picture)
{
    std::vector<const InsideStep*> parts;
    for (const InsideStage& stage : picture.stages) {
        collectParts(stage.body, parts);
    }
    return parts;
}

/// What leaves a step comes into the next, where both are known.
void expectChained(const InsideStep& step, const std::string& where)
{
    std::optional<WireShape> now = step.in;
    for (const InsideStep& inner : step.steps) {
        expectChained(inner, where);
        const bool elsewhere = inner.isOperation() && !inner.shape.source.empty();
        if (now && inner.in && !elsewhere) {
            EXPECT_EQ(now->symbols(), inner.in->symbols()) << where << " " << inner.name;
            EXPECT_EQ(*now, *inner.in) << where << " " << inner.name;
        }
        if (step.kind == InsideStep::Kind::sequence) {
            now = inner.out;
        }
    }
    if (step.kind == InsideStep::Kind::sequence) {
        EXPECT_EQ(step.out, now) << where;
    }
}

TEST(Inside, ABlockOfGpt2InTheOrderOfExecution)
{
    const InsidePicture picture = test::insideOf(test::scenarioOf("gpt2"), 0);

    EXPECT_EQ(namesInside(picture),
              (std::vector<std::string>{"mixer_norm",
                                        "qkv_proj",
                                        "scores",
                                        "softmax",
                                        "weighted_sum",
                                        "out_proj",
                                        "mixer_residual",
                                        "ffn_norm",
                                        "c_fc",
                                        "activation",
                                        "c_proj",
                                        "ffn_residual"}));
    EXPECT_EQ(picture.blocks, "blocks 1 \xE2\x80\x93 12");
    EXPECT_EQ(picture.repeatText, "\xC3\x97 12");
}

TEST(Inside, ShapesInSymbolsAndNumbers)
{
    const InsidePicture picture = test::insideOf(test::scenarioOf("gpt2"), 0);
    const auto symbols = [&picture](std::string_view name) {
        return insideShapes(operationNamed(picture, name), ShapeText::symbols);
    };

    EXPECT_EQ(symbols("c_fc"), "[B\xC2\xB7S, d] \xE2\x86\x92 [B\xC2\xB7S, d_ff]");
    EXPECT_EQ(insideShapes(operationNamed(picture, "c_fc"), ShapeText::numbers),
              "[1024, 768] \xE2\x86\x92 [1024, 3072]");
    EXPECT_EQ(symbols("scores"),
              "[B\xC2\xB7S, 3\xC2\xB7H\xC2\xB7h] \xE2\x86\x92 [H\xC2\xB7"
              "B\xC2\xB7S, S]");
    EXPECT_EQ(insideShapes(operationNamed(picture, "softmax"), ShapeText::numbers),
              "[12288, 1024] \xE2\x86\x92 [12288, 1024]");
}

TEST(Inside, TheSentenceOfAnOperationSaysAllAboutIt)
{
    const InsidePicture picture = test::insideOf(test::scenarioOf("gpt2"), 0, LensId::matmul);
    const std::string sentence = insideSentence(picture, operationNamed(picture, "c_fc"));

    const std::string flops = groupedDigits(Count{2} * 1024 * 768 * 3072 * 12) + " FLOPs";
    EXPECT_NE(sentence.find(flops), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("% of the block"), std::string::npos) << sentence;
    const std::string parameters = groupedDigits(Count{12} * (768 * 3072 + 3072)) + " parameters";
    EXPECT_NE(sentence.find(parameters), std::string::npos) << sentence;
}

TEST(Inside, OperationsAddUpToTheBarsOfTheStack)
{
    for (const Scenario& scenario : test::insideScenarios()) {
        for (const LensId lensId : {LensId::exact, LensId::mac}) {
            const CostTree<Count> tree = costTree(scenario, lens(lensId).pairs);
            for (const StackRow& row : stackPicture(scenario, tree, lensId).rows) {
                if (row.kind != StackRow::Kind::run) {
                    continue;
                }
                const InsidePicture picture = insidePicture(scenario, tree, lensId, row.run);
                const std::vector<const InsideStep*> parts = partsInside(picture);
                ASSERT_EQ(parts.size(), row.parts.size()) << scenario.model.name;
                for (std::size_t i = 0; i < parts.size(); ++i) {
                    EXPECT_EQ(parts[i]->title, row.parts[i].title);
                    EXPECT_EQ(toDouble(parts[i]->cost.flops), row.parts[i].bar.value)
                        << scenario.model.name << " " << parts[i]->title;
                    EXPECT_EQ(parts[i]->cost.uncounted, row.parts[i].bar.uncounted)
                        << scenario.model.name << " " << parts[i]->title;
                }
            }
        }
    }
}

TEST(Inside, AStepCostsWhatItsOperationsCost)
{
    for (const Scenario& scenario : test::insideScenarios()) {
        const InsidePicture picture = test::insideOf(scenario, 0);
        InsideCost sum;
        for (const InsideStep* operation : operationsOf(picture)) {
            sum += operation->cost;
        }
        EXPECT_EQ(sum, picture.total) << scenario.model.name;
    }
}

TEST(Inside, ShapesChainFromTheStreamBackToTheStream)
{
    for (const Scenario& scenario : test::insideScenarios()) {
        for (int run = 0; run < static_cast<int>(scenario.model.runs.size()); ++run) {
            const InsidePicture picture = test::insideOf(scenario, run);
            for (const InsideStage& stage : picture.stages) {
                expectChained(stage.body, scenario.model.name);
                EXPECT_EQ(stage.body.in, std::optional(picture.stream)) << scenario.model.name;
                EXPECT_EQ(stage.body.out, std::optional(picture.stream)) << scenario.model.name;
            }
        }
    }
}

// What the cost tree says of an operation's output is what its shape says.
TEST(Inside, ShapesHaveAsManyElementsAsTheCostTreeCounts)
{
    int compared = 0;
    for (const Scenario& scenario : test::insideScenarios()) {
        const CostTree<Count> tree = costTree(scenario);
        const InsidePicture picture = insidePicture(scenario, tree, LensId::exact, 0);
        for (const InsideStep* operation : operationsOf(picture)) {
            const CostTree<Count>::Node* node = test::onlyNode(tree, operation->name);
            const bool whole = node != nullptr
                && (node->kind == OpKind::linear || node->kind == OpKind::transform
                    || node->kind == OpKind::filter);
            if (whole && operation->out && node->elements > 0) {
                EXPECT_EQ(digits(operation->out->rows.value * operation->out->columns.value),
                          digits(node->elements))
                    << scenario.model.name << " " << operation->name;
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 40);
}

TEST(Inside, AProjectionHasAsManyWeightsAsItsShapesSay)
{
    for (const char* preset : {"gpt2", "llama-3-8b"}) {
        const InsidePicture picture = test::insideOf(test::scenarioOf(preset), 0);
        for (const char* name :
             {"qkv_proj", "out_proj", "c_fc", "c_proj", "gate_proj", "up_proj", "down_proj"}) {
            const auto names = namesInside(picture);
            if (std::find(names.begin(), names.end(), name) == names.end()) {
                continue;
            }
            const InsideStep& operation = operationNamed(picture, name);
            const Count out = operation.out->columns.value;
            const Count matrix = operation.in->columns.value * out;
            const Count one = operation.cost.parameters / picture.repeat;
            EXPECT_TRUE(one == matrix || one == matrix + out) << preset << " " << name;
        }
    }
}

TEST(Inside, NormsStandWhereTheyAreExecuted)
{
    Scenario scenario = test::scenarioOf("gpt2");
    Block& block = scenario.model.runs.front().block;
    const auto kinds = [&scenario] {
        std::string text;
        for (const InsideStage& stage : test::insideOf(scenario, 0).stages) {
            text += stage.kind == InsideStage::Kind::branch ? 'b' : 's';
            text += std::to_string(stage.body.steps.size());
        }
        return text;
    };
    EXPECT_EQ(kinds(), "b2b2");
    block.placement = NormPlacement::post;
    EXPECT_EQ(kinds(), "b1s0b1s0");
    block.placement = NormPlacement::sandwich;
    EXPECT_EQ(kinds(), "b3b3");
    block.layout = BlockLayout::parallel;
    EXPECT_EQ(kinds(), "b1");
    block.oneNorm = true;
    EXPECT_EQ(kinds(), "b2");
}

TEST(Inside, StagesStandSideBySideOrBelowEachOther)
{
    Scenario scenario = test::scenarioOf("gpt2-ultra-efficient");
    const auto ffn = [&scenario] { return *partsInside(test::insideOf(scenario, 0)).back(); };
    ASSERT_EQ(ffn().steps.front().kind, InsideStep::Kind::parallel);
    EXPECT_EQ(ffn().steps.front().steps.size(), 3U);

    get<ComposedFfn>(scenario.model.runs.front().block.ffn).mode = CompositionMode::sequential;
    EXPECT_EQ(ffn().steps.size(), 4U);
    EXPECT_EQ(ffn().steps.front().title, "Spectral");
}

TEST(Inside, WhatTheLensDoesNotCountIsSaid)
{
    const InsidePicture picture = test::insideOf(test::scenarioOf("gpt2"), 0, LensId::mac);
    const InsideStep& softmax = operationNamed(picture, "softmax");

    EXPECT_TRUE(softmax.cost.uncounted);
    EXPECT_EQ(insideValue(picture, softmax.cost, InsideMeasure::flops), "uncounted");
    EXPECT_NE(insideSentence(picture, softmax).find("not counted"), std::string::npos);
    EXPECT_FALSE(operationNamed(picture, "scores").cost.uncounted);
}

TEST(Inside, AFormulaHasNoCostPerOperation)
{
    const InsidePicture picture = test::insideOf(test::scenarioOf("gpt2"), 0, LensId::kaplan);

    EXPECT_FALSE(picture.priced);
    EXPECT_EQ(insideValue(picture, picture.total, InsideMeasure::flops), "\xE2\x80\x93");
    EXPECT_GT(toDouble(picture.total.parameters), 0.0);
}

TEST(Inside, SharedParametersAreThoseOfTheGroup)
{
    const InsidePicture picture = test::insideOf(test::scenarioOf("albert-base"), 0);

    EXPECT_GT(toDouble(picture.total.parameters), 0.0);
}

TEST(Inside, AnFfnWithoutStagesHasNoOperations)
{
    const InsidePicture picture = test::insideOf(test::oneBlock(Attention{}, ComposedFfn{}), 0);

    EXPECT_EQ(namesInside(picture).back(), "ffn_residual");
    EXPECT_EQ(picture.stages.back().body.steps.size(), 1U); // the norm
}

TEST(Inside, WithoutSuchARunThereIsNothing)
{
    EXPECT_TRUE(test::insideOf(test::scenarioOf("gpt2"), 5).stages.empty());
    EXPECT_TRUE(test::insideOf(test::scenarioOf("gpt2"), -1).stages.empty());
}

} // namespace
} // namespace flopsmith
