// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/table/pgfplots.h"

#include "core/io/table/latex.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace flopsmith {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Pgfplots, DrawsLinesOnLogarithmicAxes)
{
    const PgfPlot plot{.title = "FLOPs",
                       .provenance = "GPT-2",
                       .x = {.label = "S (tokens)", .logBase = 2},
                       .y = {.label = "FLOPs", .logBase = 10},
                       .series = {{.name = "dense", .rgb = 0xE69F00, .points = {{128, 0.1}}},
                                  {.name = "cheap",
                                   .rgb = 0x009E73,
                                   .dash = PgfSeries::Dash::dashed,
                                   .points = {{128, 2}, {256, 4e12}}}}};

    const std::string text = pgfplotsText(plot);

    EXPECT_THAT(text, HasSubstr("% FLOPs\n% GPT-2\n"));
    EXPECT_THAT(text, HasSubstr("xmode=log, log basis x=2"));
    EXPECT_THAT(text, HasSubstr("ymode=log, log basis y=10"));
    EXPECT_THAT(text, HasSubstr("\\definecolor{flopsmithE69F00}{HTML}{E69F00}"));
    EXPECT_THAT(text, HasSubstr("dashed, flopsmith009E73"));
    EXPECT_THAT(text, HasSubstr("(128,0.1)"));
    EXPECT_THAT(text, HasSubstr("\\addlegendentry{cheap}"));
}

TEST(Pgfplots, LeavesOutWhatALogarithmicAxisCannotShow)
{
    const PgfPlot plot{
        .x = {.logBase = 10},
        .series = {{.points = {{0, 1}, {-1, 1}, {std::nan(""), 1}, {1, INFINITY}, {7, 0}}}}};

    const std::string text = pgfplotsText(plot);

    EXPECT_THAT(text, HasSubstr("coordinates {\n  (7,0)\n};"));
}

TEST(Pgfplots, NamesTheBarsFromTheTop)
{
    const PgfPlot plot{
        .y = {.names = {"50 % & more", "d_model"}},
        .series = {
            {.kind = PgfSeries::Kind::stackedGap, .points = {{1, 0}, {2, 1}}},
            {.kind = PgfSeries::Kind::stackedBars, .name = "part", .points = {{3, 0}, {4, 1}}}}};

    const std::string text = pgfplotsText(plot);

    EXPECT_THAT(text, HasSubstr("yticklabels={{50 \\% \\& more},{d\\_model}}"));
    EXPECT_THAT(text, HasSubstr("y dir=reverse"));
    EXPECT_THAT(text, HasSubstr("xbar stacked"));
    EXPECT_THAT(text, HasSubstr("forget plot"));
}

TEST(Pgfplots, BarsBesideEachOtherGetNarrower)
{
    const auto width = [](std::size_t names, std::size_t devices) {
        PgfPlot plot;
        plot.y.names.assign(names, "part");
        plot.series.assign(devices, {.kind = PgfSeries::Kind::bars});
        const std::string text = pgfplotsText(plot);
        const std::string key = "bar width=";
        return std::stod(text.substr(text.find(key) + key.size()));
    };

    EXPECT_EQ(width(4, 2), 9.0) << "as wide as ever where there is room";
    for (const std::size_t names : {1U, 7U, 12U}) {
        for (const std::size_t devices : {1U, 2U, 5U}) {
            EXPECT_LE(width(names, devices + 1), width(names, devices));
            EXPECT_LE(width(names, devices) * static_cast<double>(names * devices), 180.0);
        }
    }
}

TEST(Pgfplots, ATitleCannotEndItsComment)
{
    const std::string text = pgfplotsText({.title = "a\n\\input{b}"});

    EXPECT_THAT(text, HasSubstr("% a \\input{b}\n"));
    EXPECT_THAT(text, HasSubstr("title={a \\textbackslash{}input\\{b\\}}"));
}

TEST(Latex, WritesEverySignInAscii)
{
    const std::string text = latexEscaped("7 \xC2\xB5s \xC3\x97 3 \xE2\x88\x92 1 \xE2\x86\x92 "
                                          "\xE2\x97\x8F d\xC2\xB2 10\xC2\xB2\xC2\xB3 "
                                          "K\xE1\xB5\x80");

    for (const char c : text) {
        EXPECT_GT(c, 0) << text;
    }
    EXPECT_THAT(text, Not(HasSubstr("?")));
}

} // namespace
} // namespace flopsmith
