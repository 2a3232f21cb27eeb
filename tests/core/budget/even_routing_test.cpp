// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/budget/even_routing.h"

#include "core/model/model_cost.h"
#include "core/model/presets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Scenario decoding(std::string_view preset, int batch)
{
    return {*presetNamed(preset), {.phase = Phase::decode, .batch = batch, .context = 1024}};
}

TEST(RoutedExperts, OfMixtralAreTwoToSixForThreeTokens)
{
    const RoutedExperts mixtral{.experts = 8, .perToken = 2, .tokens = 3};

    EXPECT_EQ(mixtral.min(), 2);
    EXPECT_DOUBLE_EQ(mixtral.expected(), 4.625);
    EXPECT_EQ(mixtral.max(), 6);
}

TEST(RoutedExperts, AreExpectedBetweenTheirBounds)
{
    for (const int experts : {1, 3, 8, 256}) {
        for (const int perToken : {1, 2, experts}) {
            double before = 0.0;
            for (const std::int64_t tokens : {1, 2, 7, 4096}) {
                if (perToken > experts) {
                    continue;
                }
                const RoutedExperts routed{experts, perToken, tokens};
                EXPECT_GE(routed.expected(), routed.min() - 1e-9);
                EXPECT_LE(routed.expected(), static_cast<double>(routed.max()) + 1e-9);
                EXPECT_GE(routed.expected(), before);
                before = routed.expected();
            }
        }
    }
}

// What differs are 2.625 of 8 experts in each of 32 layers, each of three matrices of 4096 × 14336.
TEST(EvenRouting, ReadsTheExpectedNumberOfExperts)
{
    const Scenario mixtral = decoding("mixtral-8x7b", 3);
    const CostTree<Count> least = costTree(mixtral);
    const Count more = evenlyRouted(least).total().traffic.weights - least.total().traffic.weights;

    EXPECT_TRUE(more == Count{32} * 3 * 4096 * 14336 / 8 * 21);
    EXPECT_THAT(uncertainReads(least), ElementsAre(RoutedExperts{8, 2, 3}));
}

TEST(EvenRouting, ItsTextHasNoDecimalsThatSayNothing)
{
    EXPECT_EQ(expertReadsText({{8, 2, 3}, {256, 8, 4096}}),
              "2 to 6 of 8 experts per layer, 4.625 expected with even routing; 8 to 256 of 256 "
              "experts per layer, 256 expected with even routing");
}

TEST(EvenRouting, ChangesNothingWhereItIsCertain)
{
    for (const Scenario& certain : {decoding("mixtral-8x7b", 1), decoding("gpt2", 3)}) {
        const CostTree<Count> tree = costTree(certain);

        EXPECT_TRUE(evenlyRouted(tree).total() == tree.total());
        EXPECT_THAT(uncertainReads(tree), IsEmpty());
    }
}

} // namespace
} // namespace flopsmith
