// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parameter/tie.h"

#include "tests/core/parameter/lookup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith {
namespace {

TEST(TieText, IsAProductOfOneParameterAndNumbersWithAnOffset)
{
    EXPECT_EQ(*parsedTie("d_ff=8*d_model/3+64"), (Tie{"d_ff", 8.0 / 3, "d_model", 64}));
    EXPECT_EQ(*parsedTie("d_ff=d_model*4-2"), (Tie{"d_ff", 4, "d_model", -2}));
    EXPECT_EQ(*parsedTie("d_ff",
                         "4\xC2\xB7"
                         "d_model \xE2\x88\x92 2"),
              (Tie{"d_ff", 4, "d_model", -2}));
    EXPECT_EQ(*parsedTie("d_ff=2*blocks[0-5].d_ff"), (Tie{"d_ff", 2, "blocks[0-5].d_ff"}));
}

TEST(TieText, OfSeveralIsReadInOrderUpToTheFirstThatIsWrong)
{
    EXPECT_EQ(*parsedTies({"d_ff=4*d_model", "heads=d_model/64"}),
              (std::vector<Tie>{{"d_ff", 4, "d_model"}, {"heads", 1.0 / 64, "d_model"}}));
    EXPECT_TRUE(parsedTies({})->empty());

    const Result<std::vector<Tie>> wrong = parsedTies({"d_ff=4*d_model", "heads", "layers"});
    ASSERT_FALSE(wrong);
    EXPECT_THAT(wrong.error().message, testing::HasSubstr("tie \"heads\""));
}

TEST(TieText, IsRefusedWhereAnExpressionHasNoneOrTwoParameters)
{
    for (const char* text : {"",
                             "4",
                             "4+d_model",
                             "64/d_model",
                             "d_model*heads",
                             "d_model+",
                             "d_model+x",
                             "d_model+1+1",
                             "d_model*",
                             "*d_model",
                             "1e300*1e300*d_model",
                             "d_model-0"}) {
        const Result<Tie> tie = parsedTie("d_ff", text);
        ASSERT_FALSE(tie.ok()) << text;
        EXPECT_THAT(tie.error().message, testing::HasSubstr("as in 4*d_model")) << text;
    }
}

TEST(TieText, ReadsBackAsTheSameTie)
{
    for (const double factor :
         {1.0, 4.0, 0.25, 1.0 / 64, 8.0 / 3, 2.0 / 7, 0.1, 1e-9, 1e17, 3.14159}) {
        for (const double offset : {0.0, 64.0, -0.5}) {
            const Tie tie{"d_ff", factor, "d_model", offset};
            EXPECT_EQ(*parsedTie("d_ff", expressionText(tie)), tie) << expressionText(tie);
            EXPECT_EQ(*parsedTie("d_ff", shownExpression(tie)), tie) << shownExpression(tie);
        }
    }
}

TEST(TieText, IsShownAsItIsWritten)
{
    EXPECT_EQ(expressionText(*parsedTie("heads=d_model/64")), "d_model/64");
    EXPECT_EQ(shownExpression(*parsedTie("d_ff=8*d_model/3+64")),
              "8\xC2\xB7"
              "d_model/3 + 64");
    EXPECT_EQ(expressionText(*parsedTie("d_ff=d_model")), "d_model");
}

} // namespace
} // namespace flopsmith
