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
        runTimeTable(parts, allSettled(parts.size(), 0.01), {}, std::nullopt);

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
        runTimeTable(parts, {}, {}, roofsOf({.flopsPerSecond = 1.0, .bytesPerSecond = 1e30}));
    const RunTimeTable slowMemory =
        runTimeTable(parts, {}, {}, roofsOf({.flopsPerSecond = 1e30, .bytesPerSecond = 1.0}));

    const RunTimeRow& compute = row(slowCompute, "Dense");
    EXPECT_EQ(compute.binding, Binding::compute);
    EXPECT_DOUBLE_EQ(compute.lowerBoundSeconds, compute.flops);
    const RunTimeRow& memory = row(slowMemory, "Dense");
    EXPECT_EQ(memory.binding, Binding::memory);
    EXPECT_DOUBLE_EQ(memory.lowerBoundSeconds, memory.bytes);
}

// A machine whose caches are so and so many times as fast as its memory.
MachineRoofs cachedRoofs(double l1, double l2)
{
    MachineRoofs roofs = roofsOf({.flopsPerSecond = 1e30, .bytesPerSecond = 1e9});
    roofs.levels.insert(roofs.levels.begin(), {{"L1", 1e5, l1 * 1e9, 1}, {"L2", 1e9, l2 * 1e9, 1}});
    return roofs;
}

TEST(RunTime, LowerBoundCountsTheBandwidthOfTheLevelThatHoldsOneUse)
{
    const auto parts = partsOf("gpt2");
    const RunTimeTable table = runTimeTable(parts, {}, {}, cachedRoofs(100.0, 10.0));

    const RunTimeRow& norm = row(table, "LayerNorm");
    EXPECT_EQ(norm.level, "L1");
    EXPECT_GT(norm.bytes, 1e5) << "all uses together would not fit";
    EXPECT_NEAR(norm.lowerBoundSeconds, norm.bytes / 1e11, 1e-9 * norm.lowerBoundSeconds);
    EXPECT_THAT(norm.boundText, testing::EndsWith(" (L1)"));
    const RunTimeRow& dense = row(table, "Dense");
    EXPECT_EQ(dense.level, "L2");
    EXPECT_NEAR(dense.lowerBoundSeconds, dense.bytes / 1e10, 1e-9 * dense.lowerBoundSeconds);
    EXPECT_THAT(table.note, testing::HasSubstr("operands cached"));
}

TEST(RunTime, PartsThatBeatTheirBoundAreTold)
{
    const auto parts = partsOf("gpt2");
    std::vector<PartTime> times(parts.size());
    for (PartTime& time : times) {
        time.state = PartState::settled;
        time.medianSeconds = 1.0;
    }
    const RunTimeTable table = runTimeTable(parts, times, {}, cachedRoofs(100.0, 10.0));
    EXPECT_FALSE(table.beatsPeaks());
    EXPECT_THAT(table.note, testing::Not(testing::HasSubstr("busier")));
    EXPECT_THAT(table.total.boundText, testing::StartsWith("at least "));

    const MachineRoofs slow = roofsOf({.flopsPerSecond = 1e6, .bytesPerSecond = 1e6});
    const RunTimeTable beaten = runTimeTable(parts, times, {}, slow);
    EXPECT_TRUE(beaten.beatsPeaks());
    EXPECT_THAT(beaten.note, testing::HasSubstr("busier"));
    EXPECT_THAT(beaten.total.boundText, testing::HasSubstr("busier")) << "no time is below a bound";
    times.back() = {};
    EXPECT_THAT(runTimeTable(parts, times, {}, slow).total.boundText,
                testing::StartsWith("at least "))
        << "of all parts, of which one has no time yet";
}

TEST(RunTime, TheNoteSaysWhyTheLongestTimeDidNotSettle)
{
    const auto parts = partsOf("gpt2");
    std::vector<PartTime> times = allSettled(parts.size(), 0.01);
    EXPECT_THAT(runTimeTable(parts, times, {}, {}).note,
                testing::Not(testing::HasSubstr("\u2248")));

    times.front() = {.state = PartState::notSettled, .medianSeconds = 0.001};
    EXPECT_THAT(
        runTimeTable(parts, times, {}, {}).note,
        testing::EndsWith("\n\u2248 Embedding: The time budget ended before the median settled"));

    times.back() = {.state = PartState::notSettled,
                    .medianSeconds = 2.0,
                    .sentence = "Other programs had the processor for 45.0 % of the time."};
    EXPECT_THAT(runTimeTable(parts, times, {}, {}).note,
                testing::EndsWith(
                    "\n\u2248 LM head: Other programs had the processor for 45.0 % of the time"));
}

TEST(RunTime, WithColdCachesTheMemoryBoundsEveryPart)
{
    const auto parts = partsOf("gpt2");
    const RunTimeTable cold =
        runTimeTable(parts, {}, {.coldCaches = true}, cachedRoofs(100.0, 10.0));

    for (const RunTimeRow& each : cold.rows) {
        EXPECT_EQ(each.level, "memory") << each.path;
        EXPECT_NEAR(each.lowerBoundSeconds, each.bytes / 1e9, 1e-9 * each.lowerBoundSeconds);
    }
    EXPECT_THAT(cold.note, testing::HasSubstr("operands in the memory"));
}

TEST(RunTime, WithoutThePeakOfTheFormatThereIsNoBound)
{
    const auto parts = partsOf("tiny");
    MachineRoofs roofs = cachedRoofs(100.0, 10.0);
    const RoofConditions as{.format = NumberFormat::bf16};
    EXPECT_FALSE(runTimeTable(parts, {}, as, roofs).peaksKnown);
    EXPECT_EQ(runTimeTable(parts, {}, as, roofs).total.lowerBoundSeconds, 0.0);

    roofs.products.push_back({NumberFormat::bf16, 1e30, ""});
    const RunTimeTable half = runTimeTable(parts, {}, as, roofs);
    const RunTimeTable single = runTimeTable(parts, {}, {}, roofs);
    EXPECT_NEAR(half.total.bytes, 0.5 * single.total.bytes, 1.0);
}

TEST(RunTime, TotalLeavesStagesOutAsTheirWholeHasThem)
{
    const auto parts = partsOf("gpt2-ultra-efficient");
    int uses = 0;
    for (const MeasuredPart& part : parts) {
        uses += part.addsToTotal() ? part.uses : 0;
    }

    const RunTimeTable table = runTimeTable(parts, allSettled(parts.size(), 1.0), {}, std::nullopt);

    EXPECT_DOUBLE_EQ(table.total.seconds, uses);
    EXPECT_TRUE(row(table, "Spectral").isStage);
}

TEST(RunTime, EveryStateIsWorded)
{
    const auto parts = partsOf("gpt2");
    std::vector<PartTime> times(parts.size());
    EXPECT_NE(runTimeTable(parts, times, {}, std::nullopt).emptyText, "");

    times[0].state = PartState::running;
    times[1] = {.state = PartState::failed, .sentence = "needs 3 GiB, 2 GiB are free"};
    times[2] = {.state = PartState::notSettled, .medianSeconds = 0.5};
    const RunTimeTable table = runTimeTable(parts, times, {}, std::nullopt);

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
    const RunTimeTable table = runTimeTable(parts, {}, {}, roofsOf({}));

    EXPECT_FALSE(table.peaksKnown);
    EXPECT_EQ(table.rows[0].boundText, "");
}

} // namespace
} // namespace flopsmith
