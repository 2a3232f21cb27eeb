// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/reports/peaks_report.h"

#include "core/io/reports/roofline_report.h"
#include "core/io/reports/shares_report.h"
#include "core/json/json.h"
#include "core/model/presets.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

MachineRoofs someRoofs()
{
    MachineRoofs roofs{.device = "this CPU", .threads = 2, .launchSeconds = 3.1e-6};
    roofs.products = {{NumberFormat::fp32, 2e11, ""}};
    roofs.levels = {{"L2", 1 << 21, 1.5e11, 2, true}, {"memory", 0.0, 1e10, 2, false}};
    roofs.measuredAt = 1'767'225'600;
    roofs.how = "a product and a copy";
    return roofs;
}

TEST(PeaksReport, HasARowPerRoofAndItsUnit)
{
    const Table table = peaksTable(someRoofs());

    ASSERT_EQ(table.rows.size(), 4U);
    EXPECT_EQ(table.rows[0][0].shown, "product, fp32");
    EXPECT_EQ(std::get<double>(table.rows[0][3].value), 2e11);
    EXPECT_EQ(table.rows[1][1].shown, "2.10 MB");
    EXPECT_EQ(table.rows[2][1], Cell{});
    EXPECT_EQ(table.rows[3][3].shown + " " + table.rows[3][4].shown, "3.10 \xC2\xB5s");
    EXPECT_EQ(std::get<double>(table.rows[3][3].value), 3.1e-6);
    for (const auto& row : table.rows) {
        EXPECT_EQ(row.size(), table.columns.size());
    }
}

TEST(PeaksReport, SaysWhenAndLeavesOutWhatWasNotMeasured)
{
    EXPECT_NE(peaksHeadline(someRoofs()).find("2026-01-01 00:00 UTC"), std::string::npos);
    EXPECT_EQ(peaksJson(someRoofs())["measured_at"], "2026-01-01 00:00 UTC");
    EXPECT_FALSE(peaksJson({}).contains("measured_at"));
    EXPECT_FALSE(peaksJson({}).contains("launch_seconds"));
    EXPECT_EQ(peaksJson(someRoofs())["levels"][0]["bytes_per_second"], 1.5e11);
}

TEST(RooflineReport, ListsTheMachinesOwnRoofs)
{
    const MachineRoofs roofs = someRoofs();
    const Scenario scenario{.model = *presetNamed("tiny"), .workload = {.sequence = 8}};
    RooflineReport report = rooflineReport(
        scenario, *hardwarePeak(hardwareOf(roofs), Precision{}), LensId::exact, PairsRule::exact);
    EXPECT_EQ(rooflineHeadline(report).find("measured roofs"), std::string::npos);
    EXPECT_FALSE(rooflineJson(report).contains("machine"));
    report.machine = roofs;

    EXPECT_NE(rooflineHeadline(report).find("L2 150 GB/s"), std::string::npos)
        << rooflineHeadline(report);
    EXPECT_EQ(rooflineJson(report)["machine"], peaksJson(roofs));
}

TEST(SharesReport, HasARowPerPartAndNoFiguresForOneWithoutATime)
{
    const std::vector<MeasuredPart> parts =
        measuredParts({.model = *presetNamed("tiny"), .workload = {.sequence = 8}});
    std::vector<double> seconds(parts.size(), 1e-3);
    seconds.back() = 0.0;
    const std::vector<PartShare> shares = partShares(parts, seconds, someRoofs());
    const Table table = sharesTable(shares, "");
    const Json json = sharesJson(shares);

    ASSERT_EQ(table.rows.size(), shares.size());
    for (std::size_t i = 0; i < shares.size(); ++i) {
        ASSERT_EQ(table.rows[i].size(), table.columns.size());
        EXPECT_EQ(json[i].contains("time_share"), shares[i].seconds > 0.0);
    }
    EXPECT_EQ(std::get<double>(table.rows[0][3].value), shares[0].timeShare);
    EXPECT_EQ(table.rows.back()[2], Cell{});
    EXPECT_EQ(json[0]["reason"], std::string(enumName(shares[0].reason)));
}

} // namespace
} // namespace flopsmith
