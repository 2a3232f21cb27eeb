// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/table/common_units.h"

#include "core/io/table/table_text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace flopsmith {
namespace {

Table oneColumn(std::vector<Cell> cells, const std::string& title = "FLOPs")
{
    Table table{.columns = {{.key = "name", .title = "part", .align = Align::left},
                            {.key = "value", .title = title}}};
    for (Cell& cell : cells) {
        table.rows.push_back({Cell::text("a"), std::move(cell)});
    }
    return table;
}

TEST(CommonUnits, AreThoseOfTheLargestFigureWithTheDigitsOfEach)
{
    const Table shown = inCommonUnits(oneColumn({Cell::count(38'918'987'776),
                                                 Cell::count(276'100'000),
                                                 Cell::count(5'510'000),
                                                 Cell::count(787'500),
                                                 Cell::count(3),
                                                 Cell::count(0)}));

    EXPECT_EQ(headText(shown.columns[1]), "FLOPs, G");
    EXPECT_EQ(shown.rows[0][1].shown, "38.9");
    EXPECT_EQ(shown.rows[1][1].shown, "0.276");
    EXPECT_EQ(shown.rows[2][1].shown, "0.006");
    EXPECT_EQ(shown.rows[3][1].shown, "0.001");
    EXPECT_EQ(shown.rows[4][1].shown, "< 0.001");
    EXPECT_EQ(shown.rows[5][1].shown, "0");
}

TEST(CommonUnits, OfEachQuantity)
{
    const auto head = [](Cell cell, const std::string& title) {
        const Table shown = inCommonUnits(oneColumn({std::move(cell)}, title));
        return headText(shown.columns[1]) + ": " + shown.rows[0][1].shown;
    };
    EXPECT_EQ(head(Cell::bytes(497'800'000), "weights"), "weights, MB: 497.8");
    EXPECT_EQ(head(Cell::seconds(0.614), "time"), "time, ms: 614");
    EXPECT_EQ(head(Cell::seconds(1.02e-5), "time"), "time, \xC2\xB5s: 10.2");
    EXPECT_EQ(head(Cell::share(0.37), "share"), "share, %: 37.0");
    EXPECT_EQ(head(Cell::change(-0.213), "against A"),
              "against A, %: \xE2\x88\x92"
              "21.3");
    EXPECT_EQ(head(Cell::parameters(8'030'000'000), "parameters"), "parameters, B: 8.03");
    EXPECT_EQ(head(Cell::rate(6.13e10), "reached"), "reached, GFLOP/s: 61.3");
}

TEST(CommonUnits, AreTheSameForAllColumnsOfAQuantity)
{
    Table two{.columns = {{.key = "a", .title = "live"}, {.key = "b", .title = "A"}}};
    two.rows = {{Cell::count(2'000'000'000), Cell::count(4'000'000'000'000)}};

    const Table shown = inCommonUnits(two);

    EXPECT_EQ(shown.columns[0].unit, "T");
    EXPECT_EQ(shown.columns[1].unit, "T");
    EXPECT_EQ(shown.rows[0][0].shown, "0.002");
}

TEST(CommonUnits, OfValuesAlongAnAxisAreThoseOfTheMiddle)
{
    const Table shown = inCommonUnits(oneColumn({Cell::count(24'800'000'000),
                                                 Cell::count(215'500'000'000),
                                                 Cell::count(35'291'000'000'000)}),
                                      UnitOf::median);

    EXPECT_EQ(headText(shown.columns[1]), "FLOPs, G");
    EXPECT_EQ(shown.rows[0][1].shown, "24.8");
    EXPECT_EQ(shown.rows[1][1].shown, "215.5");
    EXPECT_EQ(shown.rows[2][1].shown, "35\u202F291");
}

TEST(CommonUnits, LeaveOtherTextsAlone)
{
    Cell uncounted = Cell::count(7'000'000'000);
    uncounted.shown = "uncounted";
    Cell rough = Cell::seconds(0.614);
    rough.shown = "\xE2\x89\x88 614 ms";

    EXPECT_EQ(inCommonUnits(oneColumn({uncounted, Cell::count(1'000'000'000)})).rows[0][1].shown,
              "uncounted");
    EXPECT_EQ(inCommonUnits(oneColumn({rough, Cell::seconds(1.2)})).rows[0][1].shown,
              "\xE2\x89\x88 0.614");
    const Table mixed = oneColumn({Cell::count(1'000'000), Cell::bytes(1'000'000)});
    EXPECT_EQ(inCommonUnits(mixed), mixed);
    const Table huge = oneColumn({Cell::count(Count{1} << 90)});
    EXPECT_EQ(inCommonUnits(huge), huge);
}

TEST(TabSeparatedText, HoldsExactNumbersInTheUnitOfTheHead)
{
    const Table shown = inCommonUnits(oneColumn({Cell::count(38'918'987'776), Cell::count(12)}));

    EXPECT_EQ(tabSeparatedText(shown), "part\tFLOPs, G\na\t38.918987776\na\t0.000000012\n");
    EXPECT_EQ(tabSeparatedText(inCommonUnits(oneColumn({Cell::seconds(0.0614)}, "time"))),
              "part\ttime, ms\na\t61.4\n");
    EXPECT_EQ(tabSeparatedText(inCommonUnits(oneColumn({Cell::share(0.25)}, "share"))),
              "part\tshare, %\na\t25\n");
    EXPECT_EQ(tabSeparatedText(inCommonUnits(oneColumn({Cell::change(-0.125)}, "A"))),
              "part\tA, %\na\t-12.5\n");
}

TEST(TabSeparatedText, KeepsItsColumnsWhateverANameHolds)
{
    Table table = oneColumn({Cell::count(1)});
    table.rows[0][0] = Cell::text("a\tb\nc");

    const std::string text = tabSeparatedText(table);

    EXPECT_EQ(std::count(text.begin(), text.end(), '\t'), 2);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
}

TEST(MarkdownText, HasTheUnitsInItsHeads)
{
    const std::string text = markdownText(inCommonUnits(oneColumn({Cell::count(38'918'987'776)})));

    EXPECT_NE(text.find("| part | FLOPs, G |"), std::string::npos) << text;
    EXPECT_NE(text.find("| a | 38.9 |"), std::string::npos) << text;
}

TEST(Fractions, AreWhatStandsBehindThePoint)
{
    EXPECT_EQ(fractionOf("0.276"), ".276");
    EXPECT_EQ(fractionOf("< 0.0001"), ".0001");
    EXPECT_EQ(fractionOf("614"), "");
    EXPECT_EQ(fractionOf("e.g. none"), "");
}

} // namespace
} // namespace flopsmith
