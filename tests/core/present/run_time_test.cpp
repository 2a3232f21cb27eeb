// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/run_time.h"

#include "core/model/presets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith {
namespace {

std::vector<MeasuredPart> partsOf(std::string_view preset)
{
    return measuredParts({.model = *presetNamed(preset), .workload = {.sequence = 8}});
}

const RunTimeRow& row(const RunTimeTable& table, std::string_view title)
{
    return *std::find_if(table.rows.begin(), table.rows.end(), [title](const RunTimeRow& r) {
        return r.title == title;
    });
}

std::vector<PartTime> allSettled(std::size_t count, double seconds)
{
    return std::vector<PartTime>(count,
                                 {.state = PartState::settled,
                                  .medianSeconds = seconds,
                                  .madSeconds = seconds / 100.0,
                                  .relativeError = 3.14e-7});
}

TEST(RunTime, ShowsTheTimeOfAllUses)
{
    const auto parts = partsOf("gpt2");
    const RunTimeTable table =
        runTimeTable(parts, allSettled(parts.size(), 0.01), Precision{}, std::nullopt);

    const RunTimeRow& attention = row(table, "Attention");
    EXPECT_EQ(attention.titleText,
              "Attention \xC3\x97"
              "12");
    EXPECT_EQ(attention.timeText, "120 ms");
    EXPECT_EQ(attention.spreadText, "\xC2\xB1 1.0 %");
    EXPECT_EQ(attention.errorText, "error 3.1e-07");
    EXPECT_DOUBLE_EQ(attention.flopsPerSecond, attention.flops / 0.12);
    EXPECT_TRUE(table.complete());
}

TEST(RunTime, LowerBoundIsTheSlowerSideOfTheRoofline)
{
    const auto parts = partsOf("gpt2");
    const RunTimeTable slowCompute =
        runTimeTable(parts, {}, Precision{}, Peaks{.flopsPerSecond = 1.0, .bytesPerSecond = 1e30});
    const RunTimeTable slowMemory =
        runTimeTable(parts, {}, Precision{}, Peaks{.flopsPerSecond = 1e30, .bytesPerSecond = 1.0});

    const RunTimeRow& compute = row(slowCompute, "Dense");
    EXPECT_EQ(compute.binding, Binding::compute);
    EXPECT_DOUBLE_EQ(compute.lowerBoundSeconds, compute.flops);
    const RunTimeRow& memory = row(slowMemory, "Dense");
    EXPECT_EQ(memory.binding, Binding::memory);
    EXPECT_DOUBLE_EQ(memory.lowerBoundSeconds, memory.bytes);
}

TEST(RunTime, TotalLeavesStagesOutAsTheirWholeHasThem)
{
    const auto parts = partsOf("gpt2-ultra-efficient");
    int uses = 0;
    for (const MeasuredPart& part : parts) {
        uses += part.addsToTotal() ? part.uses : 0;
    }

    const RunTimeTable table =
        runTimeTable(parts, allSettled(parts.size(), 1.0), Precision{}, std::nullopt);

    EXPECT_DOUBLE_EQ(table.total.seconds, uses);
    EXPECT_TRUE(row(table, "Spectral").isStage);
}

TEST(RunTime, EveryStateIsWorded)
{
    const auto parts = partsOf("gpt2");
    std::vector<PartTime> times(parts.size());
    EXPECT_NE(runTimeTable(parts, times, Precision{}, std::nullopt).emptyText, "");

    times[0].state = PartState::running;
    times[1] = {.state = PartState::failed, .sentence = "needs 3 GiB, 2 GiB are free"};
    times[2] = {.state = PartState::notSettled, .medianSeconds = 0.5};
    const RunTimeTable table = runTimeTable(parts, times, Precision{}, std::nullopt);

    EXPECT_EQ(table.emptyText, "");
    EXPECT_EQ(table.rows[0].timeText, "measuring \xE2\x80\xA6");
    EXPECT_EQ(table.rows[1].timeText, "failed");
    EXPECT_EQ(table.rows[1].sentence, "needs 3 GiB, 2 GiB are free");
    EXPECT_THAT(table.rows[2].sentence, testing::HasSubstr("budget"));
    EXPECT_EQ(table.rows[3].timeText, "waiting");
    EXPECT_EQ(table.measured, 2);
    EXPECT_EQ(table.total.state, PartState::pending);
}

TEST(RunTime, PeaksOfZeroCountAsUnknown)
{
    const auto parts = partsOf("tiny");
    const RunTimeTable table = runTimeTable(parts, {}, Precision{}, Peaks{});

    EXPECT_FALSE(table.peaksKnown);
    EXPECT_EQ(table.rows[0].boundText, "");
}

} // namespace
} // namespace flopsmith
