// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formula/folklore.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith {
namespace {

using testing::HasSubstr;

Folklore named(const std::string& id)
{
    const std::vector<Folklore> all = folklore();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Folklore& each) { return each.id == id; });
    FLOPSMITH_CHECK(found != all.end());
    return *found;
}

// The figures that the page corrects, from the definition of the slips: SPEC-like sizes by hand.
TEST(Folklore, AnActivationCostsThousandsNotMillions)
{
    const Folklore activation = named("activation");

    EXPECT_EQ(activation.trueValue, 32768);
    EXPECT_NEAR(activation.factor(), 1000, 2);
    // 2·4096·16384 + 32768 of FFN, 5·4096² of attention.
    EXPECT_THAT(activation.truth, HasSubstr("134.3 M"));
    EXPECT_THAT(activation.truth, HasSubstr("218.1 M"));
    EXPECT_THAT(activation.derivation.back().sentence, HasSubstr("61.5 %"));
}

TEST(Folklore, TheQuadraticTermOfAttentionHasNoHeads)
{
    const Folklore attention = named("multi_head_attention");

    EXPECT_EQ(attention.trueValue, 2.0 * 1024 * 768 * (4 * 768 + 2 * 1024));
    EXPECT_NEAR(attention.factor(), 5.4, 0.01);
    EXPECT_EQ(attention.derivation.front().formula->text, "8*d^2*B*S + 4*d*B*S^2");
}

TEST(Folklore, ABlockHoldsItsFfnOnce)
{
    const Folklore block = named("block");

    EXPECT_EQ(block.trueValue, 1024.0 * 768 * (8 * 768 + 4 * 3072 + 4 * 1024));
    EXPECT_NEAR(block.factor(), 3.5, 0.05);
    EXPECT_EQ(block.derivation.at(1).formula->text, "24*d^2*B*S + 4*d*B*S^2");
}

TEST(Folklore, OneTokenOfALargeModelIsNotATrainingRun)
{
    EXPECT_NEAR(named("gpt3").trueValue, 3.5e11, 0.02e11);
    EXPECT_THAT(named("gpt3").derivation.back().sentence, HasSubstr("3.14e+23"));
    EXPECT_NEAR(named("llama").trueValue, 1.43e10, 0.005e10);
    EXPECT_THAT(named("llama").truth, HasSubstr("1.32e+10"));
}

// SPEC section on conformance: 17,563,828,224 multiply-adds.
TEST(Folklore, AnImageCostsTwoFlopsForEachPair)
{
    const Folklore vit = named("vit");

    EXPECT_EQ(vit.derivation.front().formula->value, 17'563'828'224);
    EXPECT_EQ(vit.trueValue, 2 * 17'563'828'224.0);
    EXPECT_THAT(vit.truth, HasSubstr("17.56e9 MACs"));
    EXPECT_THAT(vit.truth, HasSubstr("35.13e9 FLOPs"));
    EXPECT_EQ(factorText(vit.factor()), "2.0\xC3\x97 too low");
}

TEST(Folklore, AFactorSaysWhichWay)
{
    EXPECT_EQ(factorText(5.42), "5.4\xC3\x97 too high");
    EXPECT_EQ(factorText(1000.6), "1001\xC3\x97 too high");
    EXPECT_EQ(factorText(1.0 / 512), "512\xC3\x97 too low");
}

TEST(Folklore, AnFfnCostsPerToken)
{
    EXPECT_EQ(named("per_token").factor(), 1.0 / 512);
}

TEST(Folklore, EveryFormulaHasTheValueThatItPrints)
{
    for (const Folklore& each : folklore()) {
        EXPECT_FALSE(each.derivation.empty()) << each.id;
        EXPECT_GT(each.trueValue, 0) << each.id;
        for (const FolkloreStep& step : each.derivation) {
            EXPECT_FALSE(step.sentence.empty()) << each.id;
            if (step.formula) {
                EXPECT_FALSE(step.formula->latex.empty()) << each.id;
                EXPECT_GT(step.formula->value, 0) << each.id;
            }
        }
    }
}

} // namespace
} // namespace flopsmith
