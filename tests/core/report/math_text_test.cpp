// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/math_text.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

TEST(MathText, SetsLettersAsPapersDo)
{
    EXPECT_EQ(
        mathHtml("d^2/f + s_mu"),
        "<i>d</i><sup>2</sup>/<i>d</i><sub><i>ff</i></sub> + <i>s</i><sub><i>\xCE\xBC</i></sub>");
    EXPECT_EQ(mathHtml("f_2 - sum_i(log2(d))"),
              "<i>d</i><sub><i>ff</i>,2</sub> \xE2\x88\x92 \xCE\xA3<sub><i>i</i></sub>"
              "(log<sub>2</sub>(<i>d</i>))");
    EXPECT_EQ(mathLatex("d^2/f + s_mu"), "d^{2}/d_{ff} + s_{\\mu}");
    EXPECT_EQ(mathLatex("sum_i(log2(d))"), "\\sum_{i}(\\log_2(d))");
}

TEST(MathText, GroupsLongNumbersAndPutsDotsBetweenFactors)
{
    EXPECT_EQ(mathLatex("24*768^2*1024"), "24 \\cdot 768^{2} \\cdot 1024");
    EXPECT_EQ(mathLatex("12*17716740096"), "12 \\cdot 17\\,716\\,740\\,096");
    EXPECT_EQ(mathHtml("2*50257"),
              "2\xE2\x80\xAF\xC2\xB7 50\xE2\x80\xAF"
              "257");
}

} // namespace
} // namespace flopsmith
