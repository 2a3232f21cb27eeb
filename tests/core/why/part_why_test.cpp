// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/why/part_why.h"

#include "core/base/text.h"
#include "core/budget/memory.h"
#include "core/count/by_component.h"
#include "core/formula/element_formula.h"
#include "core/model/model_cost.h"
#include "core/model/presets.h"
#include "core/model/tree_path.h"
#include "core/parameter/validation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>

namespace flopsmith {
namespace {

using testing::HasSubstr;

constexpr std::array kPhases{Phase::prefill, Phase::decode, Phase::train};

// Every preset in every phase that it has, a byte per element.
void forEachScenario(const std::function<void(const Scenario&)>& use)
{
    for (const Preset& preset : presets()) {
        for (const Phase phase : kPhases) {
            Scenario scenario = preset.scenario();
            scenario.workload.phase = phase;
            scenario.workload.precision = Precision::of(8);
            if (validated(scenario)) {
                SCOPED_TRACE(std::string(preset.id) + ", " + std::string(enumName(phase)));
                use(scenario);
            }
        }
    }
}

template <class AmountOf>
Count sumOf(const CostTree<Count>& tree, const Component& component, AmountOf amountOf)
{
    Count sum = 0;
    tree.forEachOperation(0, [&](const auto& operation, const Count& times) {
        sum += isSame(component, *operation.component) ? times * amountOf(operation) : Count{0};
    });
    return sum;
}

TEST(ElementFormula, OfAComponentIsTheSumOverItsOperations)
{
    forEachScenario([](const Scenario& scenario) {
        const CostTree<Count> tree = costTree(scenario);
        for (const Component* component : componentsBelow(tree, 0)) {
            const FormulaPart part{.component = component};
            EXPECT_EQ(elementFormula(scenario, ElementKind::parameters, part)->value,
                      sumOf(tree, *component, [](const auto& operation) {
                          return operation.cost.parameters.trainable;
                      }));
            EXPECT_EQ(flopsFormula(scenario, LensId::exact, part)->value,
                      sumOf(tree, *component, [](const auto& operation) {
                          return pricedNode<Count>(LensId::exact, operation);
                      }));
        }
    });
}

TEST(ElementFormula, OfSavedActivationsIsTheMemoryThatTheyTake)
{
    forEachScenario([](Scenario scenario) {
        if (scenario.workload.phase != Phase::train) {
            EXPECT_FALSE(elementFormula(scenario, ElementKind::savedActivations));
            return;
        }
        for (const Checkpointing how :
             {Checkpointing::none, Checkpointing::selective, Checkpointing::full}) {
            scenario.workload.checkpointing = how;
            EXPECT_EQ(elementFormula(scenario, ElementKind::savedActivations)->value,
                      memory(scenario).total(MemoryKind::activations))
                << enumName(how);
        }
    });
}

TEST(ElementFormula, OfWhatMovesIsTheTraffic)
{
    forEachScenario([](const Scenario& scenario) {
        if (scenario.workload.phase == Phase::train) {
            return; // gradients and optimizer states have other bits
        }
        const CostTree<Count> tree = costTree(scenario);
        EXPECT_EQ(elementFormula(scenario, ElementKind::moved)->value,
                  bytes(tree, 0, scenario.workload.precision).total());
    });
}

TEST(ElementFormula, OfAPartIsThatOfOneUse)
{
    const Scenario scenario = findPreset("gpt2")->scenario();

    EXPECT_EQ(elementFormula(scenario, ElementKind::parameters, {.path = "blocks[0]/ffn"})->value,
              2 * 768 * 3072 + 3072 + 768);
    EXPECT_FALSE(elementFormula(scenario, ElementKind::parameters, {.path = "blocks[0]/fff"}));
}

TEST(PartWhy, EndsWithTheBytesOfTheMemory)
{
    forEachScenario([](const Scenario& scenario) {
        const CostTree<Count> tree = costTree(scenario);
        for (const MemoryItem& item : memory(scenario).items) {
            const Why why =
                whyOfPart({.kind = figureKindOf(item.kind), .component = item.component},
                          {.scenario = scenario, .tree = tree});
            EXPECT_THAT(whyText(why), HasSubstr(groupedDigits(item.bytes) + " bytes")) << why.title;
        }
    });
}

TEST(PartWhy, OfEveryPartAndQuantitySaysWhatItIsAndWhy)
{
    const Hardware hardware = *hardwareNamed("h100-sxm");
    Scenario scenario = findPreset("gpt2-half-swapped")->scenario();
    for (const Phase phase : kPhases) {
        scenario.workload.phase = phase;
        const CostTree<Count> tree = costTree(scenario);
        for (int i = 0; i < tree.size(); ++i) {
            for (const FigureKind kind : {FigureKind::flops,
                                          FigureKind::parameters,
                                          FigureKind::moved,
                                          FigureKind::leastTime,
                                          FigureKind::measuredTime}) {
                const Why why =
                    whyOfPart({.kind = kind, .path = tree.path(i)},
                              {.scenario = scenario, .tree = tree, .hardware = &hardware});
                EXPECT_FALSE(why.title.empty());
                EXPECT_FALSE(why.sentence.empty());
                EXPECT_TRUE(why.formula || kind == FigureKind::leastTime
                            || kind == FigureKind::measuredTime)
                    << tree.path(i) << why.noFormula;
                EXPECT_FALSE(why.view.empty());
            }
        }
    }
}

TEST(PartWhy, OfAComponentInsideAPartIsOfItsOperationsThere)
{
    const Scenario scenario = findPreset("gpt2-half-swapped")->scenario();
    const CostTree<Count> tree = costTree(scenario);
    const int ffn = nodeAt(tree, "blocks[6]/ffn");
    Count sum = 0;
    for (const Component* component : componentsBelow(tree, ffn)) {
        const Why why =
            whyOfPart({.path = "blocks[6]/ffn", .component = component, .isOfOneUse = true},
                      {.scenario = scenario, .tree = tree});
        ASSERT_TRUE(why.formula) << why.noFormula;
        sum += why.formula->value;
    }
    EXPECT_EQ(sum, pricedPart(LensId::exact, tree, ffn));
}

TEST(PartWhy, NamesPartUsesAndShare)
{
    const Scenario scenario = findPreset("gpt2")->scenario();
    const CostTree<Count> tree = costTree(scenario);

    const std::string text =
        whyText(whyOfPart({.path = "blocks[0]/ffn"}, {.scenario = scenario, .tree = tree}));

    EXPECT_THAT(text, HasSubstr("Dense FFN: cost"));
    EXPECT_THAT(text, HasSubstr("all uses: 12 \xC3\x97 "));
    EXPECT_THAT(text, HasSubstr("share: of the whole model = "));
}

} // namespace
} // namespace flopsmith
