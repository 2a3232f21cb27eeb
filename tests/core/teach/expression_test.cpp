// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teach/expression/expression.h"

#include "core/model/presets.h"
#include "core/teach/play/lesson_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using testing::HasSubstr;

LessonContext gpt2()
{
    return {.scenario = {*presetNamed("gpt2"), {.sequence = 1024}}};
}

std::string golden(std::string_view expression)
{
    const Result<Value> value = evaluate(expression, gpt2());
    return value ? goldenText(*value) : "error: " + value.error().message;
}

TEST(LessonExpression, ComputesExactly)
{
    EXPECT_EQ(golden("2 + 3 * 4 ^ 2"), "50");
    EXPECT_EQ(golden("-2 ^ 2"), "-4");
    EXPECT_EQ(golden("10 ^ 30 + 1"), "1000000000000000000000000000001");
    EXPECT_EQ(golden("7 / 2"), "3.5");
    EXPECT_EQ(golden("not 1 > 2 and 1e3 == 1000"), "true");
    EXPECT_EQ(golden("order(1, 3, 2)"), "2 3 1");
    EXPECT_EQ(golden("round(2 / 3, 3)"), "0.667");
}

TEST(LessonExpression, ReadsTheCostTree)
{
    EXPECT_EQ(golden("total()"), "291648307200");
    EXPECT_EQ(golden("flops('ffn')"), "115964116992");
    EXPECT_EQ(golden("flops('blocks/ffn') - flops('ffn')"), "0");
    EXPECT_EQ(golden("flops('attention') - flops('projections') - flops('scores')"), "0");
    EXPECT_EQ(golden("pairs('exact', total())"), "272339828736");
    EXPECT_EQ(golden("params()"), "124439808");
    EXPECT_EQ(golden("with('preset:llama-3-8b, kv_bits=16', kv_per_token())"), "131072");
}

TEST(LessonExpression, FindsWhereCurvesCross)
{
    EXPECT_EQ(golden("crossing(flops('ffn'), flops('scores'), 'sequence', 128, 32768)"), "3072");
    EXPECT_EQ(golden("pairs('exact', crossing(flops('ffn'), flops('scores'), 'seq', 1, 32768))"),
              "6143");
    EXPECT_THAT(golden("crossing(1, 2, 'seq', 1, 100)"), HasSubstr("do not cross"));
}

TEST(LessonExpression, RefusesInOneSentenceWithThePosition)
{
    EXPECT_THAT(golden("1 +"), HasSubstr("character 4"));
    EXPECT_THAT(golden("1 + wrong()"), HasSubstr("character 5: there is no function \"wrong\""));
    EXPECT_THAT(golden("flops('nothing')"), HasSubstr("no part \"nothing\""));
    EXPECT_THAT(golden("1 / 0"), HasSubstr("divided by zero"));
    EXPECT_THAT(golden("'a' + 1"), HasSubstr("expected a number, found a text"));
    EXPECT_THAT(golden(std::string(500, '(')), HasSubstr("nested more than"));
    EXPECT_THAT(golden(std::string(5000, '1')), HasSubstr("at most 2000 characters"));
}

TEST(LessonExpression, DrawsNoCurveOfADesignThatIsNotLegal)
{
    const Expression whole = Expression::parsed("total()").value();

    EXPECT_TRUE(curveOf(whole, gpt2(), "sequence", 128, 1024, 4).ok());
    const LessonContext decoding{
        .scenario = {*presetNamed("fnet-base"), {.phase = Phase::decode, .context = 100}}};
    const auto curve = curveOf(whole, decoding, "context", 10, 100, 4);
    ASSERT_FALSE(curve.ok());
    EXPECT_THAT(curve.error().message, HasSubstr("phase: Fourier mixing"));
}

TEST(LessonText, AllItsValuesHaveOneBudget)
{
    const LessonContext tiny{.scenario = {*presetNamed("tiny"), {.sequence = 8}}};
    std::string sum = "total()"; // each with() has a tree of its own
    for (int i = 0; i < 40; ++i) {
        sum += "+with('seq=" + std::to_string(i + 9) + "', total())";
    }
    const auto times = [&sum](int count) {
        std::string text;
        for (int i = 0; i < count; ++i) {
            text += "{" + sum + "}";
        }
        return text;
    };

    EXPECT_TRUE(textWithValues(times(2), tiny).ok());
    EXPECT_THAT(textWithValues(times(30), tiny).error().message, HasSubstr("cost trees"));
}

TEST(LessonExpression, EndsWhateverIsNested)
{
    std::string nested = "total()";
    for (int i = 0; i < 4; ++i) {
        nested = "crossing(" + nested + ", 0, 'seq', 1, 100000)";
    }
    EXPECT_THAT(golden(nested), HasSubstr("error: "));
}

TEST(LessonExpression, SearchesNoMoreThanItsBudgetOfNodes)
{
    std::string sum = "0";
    for (int i = 0; i < 150; ++i) {
        sum += "+flops('ffn')";
    }
    LessonContext large = gpt2();
    const BlockRun run{.block = large.scenario.model.runs.front().block};
    large.scenario.model.runs.assign(2'000, run); // more than a lesson shows
    EXPECT_TRUE(evaluate(sum, gpt2()).ok());
    EXPECT_THAT(evaluate(sum, large).error().message, HasSubstr("too many steps"));
}

} // namespace
} // namespace flopsmith
