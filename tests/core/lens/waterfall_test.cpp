// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lens/waterfall.h"

#include "core/lens/lens_total.h"
#include "core/model/presets.h"
#include "tests/support/random_scenario.h"

#include <gtest/gtest.h>

#include <rapidcheck.h>

#include <algorithm>
#include <set>

namespace flopsmith {
namespace {

Scenario gpt2()
{
    return {*presetNamed("gpt2"), {.sequence = 1024}};
}

Count amountOf(const Waterfall& fall, std::string_view name)
{
    const auto found =
        std::find_if(fall.steps.begin(), fall.steps.end(), [name](const WaterfallStep& step) {
            return step.name == name;
        });
    return found == fall.steps.end() ? Count{0} : found->amount;
}

TEST(LensBreakdown, SumsToWhatTheLensSays)
{
    const bool holds = rc::check("the topics of every lens sum to its total", [] {
        const Scenario scenario = test::randomScenario();
        for (const Lens& each : lenses()) {
            const Count total = lensTotal(scenario, each.id).figure.value_or(0);
            if (lensBreakdown(scenario, each.id).total() != total) {
                RC_FAIL(std::string(each.name) + ": " + digits(total) + " against "
                        + digits(lensBreakdown(scenario, each.id).total()));
            }
        }
    });
    EXPECT_TRUE(holds);
}

TEST(Waterfall, AddsUpExactlyBetweenAnyTwoLenses)
{
    const bool holds = rc::check("start + steps = end", [] {
        const Scenario scenario = test::randomScenario();
        const Lens& from = lenses()[*rc::gen::inRange<std::size_t>(0, lenses().size())];
        const Count start = lensTotal(scenario, from.id).figure.value_or(0);
        for (const Lens& to : lenses()) {
            const Waterfall fall = waterfall(scenario, from.id, to.id);
            Count at = fall.start;
            for (const WaterfallStep& step : fall.steps) {
                RC_ASSERT(step.amount != 0);
                at += step.amount;
            }
            RC_ASSERT(at == fall.end);
            RC_ASSERT(fall.start == start);
            RC_ASSERT(fall.end == lensTotal(scenario, to.id).figure.value_or(0));
        }
    });
    EXPECT_TRUE(holds);
}

TEST(Waterfall, NamesOfStepsAreDifferent)
{
    for (const Lens& from : lenses()) {
        for (const Lens& to : lenses()) {
            std::set<std::string> names;
            for (const WaterfallStep& step : waterfall(gpt2(), from.id, to.id).steps) {
                EXPECT_TRUE(names.insert(step.name).second) << step.name;
                EXPECT_FALSE(step.note.empty());
            }
        }
    }
}

TEST(Waterfall, ToTheSameConventionIsEmpty)
{
    for (const Lens& each : lenses()) {
        EXPECT_TRUE(waterfall(gpt2(), each.id, each.id).steps.empty()) << each.name;
    }
    EXPECT_TRUE(waterfall(gpt2(), LensId::matmul, LensId::megatron).steps.empty())
        << "Megatron's formula was made for this shape";
}

TEST(Waterfall, BetweenMacAndMatmulIsOneStep)
{
    const Waterfall fall = waterfall(gpt2(), LensId::mac, LensId::matmul);

    ASSERT_EQ(fall.steps.size(), 1U);
    EXPECT_EQ(fall.steps[0].name, "MAC \xE2\x86\x92 FLOP, \xC3\x97 2");
    EXPECT_EQ(fall.steps[0].amount, 145'824'153'600);
}

TEST(Waterfall, FromMatmulToExactNamesTheMaskAndEveryElementwiseKind)
{
    const Waterfall fall = waterfall(gpt2(), LensId::matmul, LensId::exact);

    EXPECT_EQ(amountOf(fall, "pairs behind the mask"), 272'339'828'736 - 291'648'307'200);
    EXPECT_EQ(amountOf(fall, "residuals"), Count{24} * 1024 * 768);
    EXPECT_EQ(amountOf(fall, "biases"), Count{12} * 1024 * (3 + 1 + 4 + 1) * 768);
    EXPECT_EQ(amountOf(fall, "sums of embeddings"), Count{1024} * 768);
    EXPECT_GT(amountOf(fall, "softmax"), 0);
    EXPECT_GT(amountOf(fall, "norms"), 0);
    EXPECT_GT(amountOf(fall, "activations"), 0);
    EXPECT_EQ(fall.steps.size(), 8U) << "and the scale of the scores";
}

TEST(Waterfall, FromMatmulToFvcoreShowsWhatIsNotSeen)
{
    const Waterfall fall = waterfall(gpt2(), LensId::matmul, LensId::fvcore);
    const Count core = Count{12} * 2 * 1024 * 1024 * 768;

    EXPECT_EQ(amountOf(fall, "FLOP \xE2\x86\x92 MAC, \xC3\xB7 2"), -145'824'153'600);
    EXPECT_EQ(amountOf(fall, "attention core") + amountOf(fall, "pairs behind the mask"), -core);
    EXPECT_EQ(amountOf(fall, "norms"), Count{5} * 25 * 1024 * 768);
}

TEST(Waterfall, FromMatmulToKaplanLeavesNothingUnnamedOnGpt2)
{
    const Waterfall fall = waterfall(gpt2(), LensId::matmul, LensId::kaplan);

    EXPECT_EQ(amountOf(fall, "head"), -79'047'426'048);
    EXPECT_EQ(amountOf(fall, "pairs behind the mask"), -(Count{12} * 2 * 1024 * 1024 * 768))
        << "one of the two products";
    EXPECT_EQ(amountOf(fall, "norm parameters, as if products"), Count{2} * 1024 * 25 * 2 * 768);
    EXPECT_EQ(amountOf(fall, "biases, as if products"), Count{2} * 1024 * 12 * 9 * 768);
    EXPECT_EQ(amountOf(fall, "parameters that are not one product per token"), 0);
}

TEST(Waterfall, SharedBlocksShowAsParametersThatAreUsedOften)
{
    const Scenario scenario{*presetNamed("gpt2-shared"), {.sequence = 64}};
    const Waterfall fall = waterfall(scenario, LensId::matmul, LensId::palm);

    EXPECT_LT(amountOf(fall, "parameters that are not one product per token"), 0);
}

TEST(Waterfall, ChinchillaTakesTheEmbeddingAsAProduct)
{
    const Waterfall fall = waterfall(gpt2(), LensId::matmul, LensId::chinchilla);

    EXPECT_EQ(amountOf(fall, "embedding as a product"), 79'047'426'048);
    EXPECT_EQ(fall.end - fall.start, 79'047'426'048 + Count{12} * 3 * 12 * 1024 * 1024);
}

TEST(LensTopic, HasOperationsWhereItHasACharge)
{
    for (const char* preset : {"gpt2", "gpt2-half-swapped", "llama-3-8b"}) {
        const Scenario scenario{.model = *presetNamed(preset)};
        const CostTree<Count> tree = costTree(scenario);
        const LensBreakdown exact = lensBreakdown(scenario, LensId::exact);
        for (std::size_t i = 0; i < kLensTopics; ++i) {
            const auto topic = static_cast<LensTopic>(i);
            if (topic == LensTopic::pairs || topic == LensTopic::dots
                || topic == LensTopic::embeddingAsProduct) {
                continue; // what another lens charges for operations of other topics
            }
            const bool any =
                std::any_of(tree.nodes().begin(), tree.nodes().end(), [topic](const auto& node) {
                    return addsToTopic(node, topic);
                });
            EXPECT_EQ(any, exact.charged(topic) != 0) << preset << " " << lensTopicTitle(topic);
        }
    }
}

} // namespace
} // namespace flopsmith
