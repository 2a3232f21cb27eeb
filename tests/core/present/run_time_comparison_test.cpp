// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/time/run_time_comparison.h"

#include "tests/core/present/scenarios.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using test::allSettled;
using test::partsOf;

TEST(RunTimeComparison, EveryDeviceHasTheRowsThatItWouldHaveAlone)
{
    const auto parts = partsOf("gpt2-ultra-efficient");
    const auto fast = allSettled(parts.size(), 0.004);
    const Peaks peaks{.flopsPerSecond = 1e12, .bytesPerSecond = 1e11};

    const RunTimeComparison both =
        runTimeComparison(parts,
                          std::vector<DeviceTimes>{
                              {"this CPU", allSettled(parts.size(), 0.01)},
                              {"box", fast, roofsOf(peaks)},
                          });

    const RunTimeTable alone = runTimeTable(parts, fast, {}, roofsOf(peaks));
    ASSERT_EQ(both.columns.size(), 2U);
    EXPECT_TRUE(both.isSideBySide());
    EXPECT_EQ(both.columns[1].table.total.seconds, alone.total.seconds);
    EXPECT_EQ(both.columns[1].totalText, alone.total.timeText);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        EXPECT_EQ(both.columns[1].table.rows[i].timeText, alone.rows[i].timeText);
        EXPECT_EQ(both.columns[1].table.rows[i].lowerBoundSeconds, alone.rows[i].lowerBoundSeconds);
        EXPECT_DOUBLE_EQ(both.columns[1].ratios[i], 0.4);
    }
    EXPECT_FALSE(both.columns[0].table.peaksKnown);
    EXPECT_DOUBLE_EQ(both.columns[1].ratio, 0.4);
    EXPECT_EQ(both.columns[0].ratioText, "");
    EXPECT_EQ(both.columns[1].ratioText, "0.40\xC3\x97");
}

TEST(RunTimeComparison, ARatioComparesOnlyWhatBothHave)
{
    const auto parts = partsOf("gpt2");
    auto some = allSettled(parts.size(), 0.02);
    some[0] = {.state = PartState::failed, .sentence = "needs 3 GiB, 2 GiB are free"};

    const RunTimeComparison both = runTimeComparison(
        parts,
        std::vector<DeviceTimes>{{"this CPU", allSettled(parts.size(), 0.01)}, {"box", some}});

    const RunTimeColumn& box = both.columns[1];
    EXPECT_LT(box.table.total.seconds, 2.0 * both.columns[0].table.total.seconds);
    EXPECT_DOUBLE_EQ(box.ratio, 2.0) << "what is missing must not look like a gain";
    EXPECT_EQ(box.ratios[0], 0.0);
    EXPECT_THAT(box.totalText, testing::HasSubstr(" parts, "));
    EXPECT_EQ(box.table.rows[0].sentence, "needs 3 GiB, 2 GiB are free");
    EXPECT_THAT(both.note,
                testing::EndsWith("\nbox, failed: Embedding: needs 3 GiB, 2 GiB are free"));
}

TEST(RunTimeComparison, ADeviceThatCannotBeAskedKeepsItsSentenceAndConcernsNoOther)
{
    const auto parts = partsOf("gpt2");
    const std::string sentence = "box: no route to host";
    const RunTimeComparison both =
        runTimeComparison(parts,
                          std::vector<DeviceTimes>{{"box", {}, {}, sentence},
                                                   {"this CPU", allSettled(parts.size(), 0.01)}});

    EXPECT_EQ(both.columns[0].unavailable, sentence);
    EXPECT_EQ(both.columns[0].totalText, "unavailable");
    EXPECT_FALSE(both.columns[0].hasBars());
    EXPECT_TRUE(both.columns[1].hasBars());
    EXPECT_GT(both.columns[1].table.total.seconds, 0.0);
    EXPECT_EQ(both.columns[1].ratioText, "") << "there is nothing to compare with";
    EXPECT_EQ(both.emptyText, "");
}

TEST(RunTimeComparison, NothingMeasuredAnywhereIsSaid)
{
    const auto parts = partsOf("gpt2");
    std::vector<DeviceTimes> devices{{"this CPU"}, {"box"}};
    EXPECT_NE(runTimeComparison(parts, devices).emptyText, "");
    EXPECT_EQ(runTimeComparison(parts, devices).columns[1].totalText, "not measured");
    devices[1].times.resize(parts.size());
    devices[1].times[0].state = PartState::queued;
    EXPECT_EQ(runTimeComparison(parts, devices).columns[1].totalText, "waiting");

    devices[1].times.resize(parts.size());
    devices[1].times[2].state = PartState::running;
    EXPECT_EQ(runTimeComparison(parts, devices).emptyText, "");
}

} // namespace
} // namespace flopsmith
