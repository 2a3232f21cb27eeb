// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/time/mislead.h"

#include "core/model/presets.h"
#include "core/present/time/run_time.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith {
namespace {

MachineRoofs someRoofs()
{
    MachineRoofs roofs{.device = "this CPU"};
    roofs.products = {{NumberFormat::fp32, 1e11, ""}};
    roofs.levels = {{"memory", 1e9, 1e10, 1, false}};
    return roofs;
}

std::vector<MeasuredPart> someParts()
{
    return measuredParts(
        {.model = *presetNamed("gpt2-half-swapped"), .workload = {.sequence = 16}});
}

TEST(Mislead, HasNoSharesBeforeAllPartsAreMeasured)
{
    const std::vector<MeasuredPart> parts = someParts();
    std::vector<PartTime> times(parts.size(), {.state = PartState::settled, .medianSeconds = 0.01});
    times[1] = {};
    const MisleadTable table = misleadTable(parts, times, someRoofs());

    EXPECT_TRUE(table.empty());
    EXPECT_NE(table.emptyText.find(" parts measured: "), std::string::npos) << table.emptyText;
}

TEST(Mislead, PartsThatFailedAreLeftOut)
{
    const std::vector<MeasuredPart> parts = someParts();
    std::vector<PartTime> times(parts.size(), {.state = PartState::failed});
    times[1] = {.state = PartState::settled, .medianSeconds = 0.01};
    const MisleadTable table = misleadTable(parts, times, someRoofs());

    ASSERT_EQ(table.rows.size(), 1U);
    EXPECT_EQ(table.rows[0].part.path, parts[1].path);
    EXPECT_EQ(table.rows[0].timeText, "100.0 %");
    EXPECT_EQ(table.longest, 1.0);
    EXPECT_EQ(table.headline, "Every part takes the share of the time that its FLOPs say.");
    EXPECT_EQ(table.leftOut, failedPartsText(parts, times));
}

TEST(Mislead, WhereNothingCouldBeMeasuredItSaysWhy)
{
    const std::vector<MeasuredPart> parts = someParts();
    const std::vector<PartTime> times(
        parts.size(), {.state = PartState::failed, .sentence = "There is no kernel for it yet"});
    const MisleadTable table = misleadTable(parts, times, someRoofs());

    EXPECT_TRUE(table.empty());
    EXPECT_NE(table.emptyText.find(": There is no kernel for it yet."), std::string::npos)
        << table.emptyText;
}

TEST(Mislead, TheHeadlineNamesThePartWhoseFlopsPromiseMost)
{
    const std::vector<MeasuredPart> parts = someParts();
    std::vector<PartTime> times(parts.size(), {.state = PartState::settled, .medianSeconds = 1e-6});
    const auto slow = std::find_if(parts.begin(), parts.end(), [](const MeasuredPart& part) {
        return std::holds_alternative<NormOperation>(part.operation.what);
    });
    times[static_cast<std::size_t>(slow - parts.begin())].medianSeconds = 1.0;
    const MisleadTable table = misleadTable(parts, times, someRoofs());

    EXPECT_EQ(table.rows.front().part.path, slow->path);
    EXPECT_EQ(table.headline.find(table.rows.front().titleText + ": "), 0U) << table.headline;
    for (const MisleadRow& row : table.rows) {
        EXPECT_GE(table.longest, std::max(row.part.flopShare, row.part.timeShare));
        EXPECT_EQ(row.reasonText.find(reasonText(row.part.reason)), 0U);
        EXPECT_EQ(row.titleText != row.part.title, row.part.uses > 1);
    }
}

TEST(Mislead, WithoutRoofsOrTimesThereIsASentenceInstead)
{
    const std::vector<MeasuredPart> parts = someParts();
    const std::vector<PartTime> times(parts.size(),
                                      {.state = PartState::settled, .medianSeconds = 0.01});

    for (const MisleadTable& table : {misleadTable(parts, times, std::nullopt),
                                      misleadTable(parts, {}, someRoofs()),
                                      misleadTable({}, {}, someRoofs())}) {
        EXPECT_TRUE(table.empty());
        EXPECT_FALSE(table.emptyText.empty());
    }
}

} // namespace
} // namespace flopsmith
