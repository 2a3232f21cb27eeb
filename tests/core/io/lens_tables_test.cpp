// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/reports/lens_tables.h"

#include "core/io/project/version.h"
#include "core/io/table/table_text.h"
#include "core/model/presets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using testing::HasSubstr;

Scenario gpt2()
{
    return {*presetNamed("gpt2"), {.sequence = 1024}};
}

Count number(const Cell& cell)
{
    return std::get<Count>(cell.value);
}

TEST(LensTable, HasARowPerLens)
{
    EXPECT_EQ(lensTable().rows.size(), lenses().size());
    EXPECT_THAT(plainText(lensTable()), HasSubstr("torch_cpu"));
}

TEST(WaterfallTable, RunsFromOneLensToTheOther)
{
    const Scenario scenario = gpt2();
    const Table table =
        waterfallTable(waterfall(scenario, LensId::matmul, LensId::exact), scenario);

    ASSERT_GT(table.rows.size(), 3U);
    EXPECT_EQ(table.rows.front()[0].shown, "matmul");
    EXPECT_TRUE(number(table.rows.front()[2]) == 291'648'307'200);
    EXPECT_EQ(table.rows.back()[0].shown, "exact");
    for (std::size_t i = 1; i + 1 < table.rows.size(); ++i) {
        EXPECT_TRUE(number(table.rows[i][2])
                    == number(table.rows[i - 1][2]) + number(table.rows[i][1]))
            << table.rows[i][0].shown;
    }
    EXPECT_TRUE(number(table.rows.back()[2]) == number(table.rows.end()[-2][2]));
}

TEST(WaterfallTable, ShowsSignsToPeopleAndDigitsToPrograms)
{
    const Scenario scenario = gpt2();
    const Waterfall fall = waterfall(scenario, LensId::matmul, LensId::exact);

    EXPECT_THAT(plainText(waterfallTableForPeople(fall, scenario)),
                HasSubstr("\xE2\x88\x92"
                          "19.3 G"));
    EXPECT_THAT(plainText(waterfallTableForPeople(fall, scenario)), HasSubstr("291.6 GFLOPs"));
    EXPECT_THAT(csvText(waterfallTable(fall, scenario)), HasSubstr(",-19308478464,272339828736,"));
    EXPECT_THAT(latexText(waterfallTableForPeople(fall, scenario)), HasSubstr("$-$19.3 G"));
}

TEST(Conformance, HasEveryModelUnderEveryLens)
{
    const std::vector<ConformanceEntry> entries = conformance();
    const Table table = conformanceTable(entries);

    EXPECT_EQ(table.rows.size(), entries.size() * lenses().size());
    EXPECT_EQ(conformanceSheet(entries).rows.size(), lenses().size() + 1);
    EXPECT_THAT(conformanceSheet(entries).caption, HasSubstr(std::string(programVersion())));
    for (const ConformanceEntry& entry : entries) {
        EXPECT_TRUE(entry.parameters > 0) << entry.model.title;
        for (const LensTotal& total : entry.totals) {
            EXPECT_TRUE(total.figure > 0) << entry.model.title;
        }
    }
}

TEST(Conformance, EveryPrintedFigureIsReproduced)
{
    for (const PublishedFigure& figure : publishedFigures()) {
        EXPECT_TRUE(figure.agrees())
            << figure.model << ", " << figure.quantity << ": " << digits(figure.computed);
        EXPECT_FALSE(figure.source.empty());
    }
}

TEST(PublishedFigure, AgreesAsFarAsItWasPrinted)
{
    PublishedFigure figure{.published = 1700, .printedTo = 100, .computed = 1750};

    EXPECT_TRUE(figure.agrees());
    figure.computed = 1751;
    EXPECT_FALSE(figure.agrees());
    figure = {.published = 7, .printedTo = 1, .computed = 8};
    EXPECT_FALSE(figure.agrees());
}

TEST(Conformance, MarksWhereALensWasNotMadeForTheModel)
{
    const Table sheet = conformanceSheet(conformance());
    std::size_t marks = 0;
    for (const auto& row : sheet.rows) {
        for (const Cell& cell : row) {
            marks += cell.shown.find('*') != std::string::npos ? 1U : 0U;
        }
    }

    EXPECT_GT(marks, 0U);
    EXPECT_THAT(publishedTable(publishedFigures()).rows.front()[4].shown, "291648307200");
}

} // namespace
} // namespace flopsmith
