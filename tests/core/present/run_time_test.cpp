// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/time/run_time.h"

#include "core/ffn/dense.h"
#include "core/mixer/attention.h"
#include "tests/core/present/scenarios.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace flopsmith {
namespace {

using test::allSettled;
using test::partsOf;

const RunTimeRow& row(const RunTimeTable& table, std::string_view title)
{
    return *std::find_if(table.rows.begin(), table.rows.end(), [title](const RunTimeRow& r) {
        return r.title == title;
    });
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
    EXPECT_THAT(beaten.note, testing::HasSubstr("measure them again"));
    EXPECT_THAT(beaten.total.boundText, testing::HasSubstr("busier")) << "no time is below a bound";
    EXPECT_EQ(beaten.total.lowerBoundSeconds, 0.0);
    EXPECT_EQ(row(beaten, "Dense").lowerBoundSeconds, 0.0) << "it is no bound any more";
    EXPECT_THAT(row(beaten, "Dense").boundText, testing::HasSubstr("busier"));
}

// Two measurements of one time differ by so much: the bound is not refuted, but stands at the time.
TEST(RunTime, ABoundThatIsHardlyBeatenStandsAtTheTime)
{
    const auto parts = partsOf("gpt2");
    const MachineRoofs roofs = roofsOf({.flopsPerSecond = 1e9, .bytesPerSecond = 1e9});
    std::vector<PartTime> times(parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
        times[i] = {.state = PartState::settled,
                    .medianSeconds = 0.97 * lowerBoundSeconds(parts[i], {}, roofs) / parts[i].uses};
    }

    const RunTimeTable table = runTimeTable(parts, times, {}, roofs);

    EXPECT_FALSE(table.beatsPeaks());
    for (const RunTimeRow& each : table.rows) {
        EXPECT_DOUBLE_EQ(each.lowerBoundSeconds, each.seconds) << each.path;
    }
}

// Any mixture of finished, missing and failed parts, any times, any peaks.
RC_GTEST_PROP(RunTime, NothingUnknownIsShownAsKnown, ())
{
    const auto parts = partsOf("gpt2-half-swapped");
    std::vector<PartTime> times;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        times.push_back({.state = *rc::gen::element(PartState::pending,
                                                    PartState::queued,
                                                    PartState::running,
                                                    PartState::settled,
                                                    PartState::settled,
                                                    PartState::settled,
                                                    PartState::notSettled,
                                                    PartState::failed),
                         .medianSeconds = *rc::gen::inRange(0, 1'000) * 1e-5});
    }
    const double peak = *rc::gen::element(1e3, 1e6, 1e9, 1e12);

    const RunTimeTable table = runTimeTable(parts, times, {}, roofsOf({peak, peak}));

    bool complete = true;
    bool rough = false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const RunTimeRow& each = table.rows[i];
        RC_ASSERT(each.seconds == 0.0 || each.lowerBoundSeconds <= each.seconds);
        RC_ASSERT((each.timeText == "waiting") == (each.state == PartState::queued));
        complete = complete && (each.isStage || times[i].hasTime());
        rough =
            rough || (!each.isStage && times[i].hasTime() && each.state == PartState::notSettled);
    }
    const bool saysAll = table.headline().find(" in all") != std::string::npos;
    RC_ASSERT(saysAll == complete);
    RC_ASSERT((table.total.timeText.find("\xE2\x89\x88") == 0) == rough);
    RC_ASSERT(table.total.seconds == 0.0 || !complete
              || table.total.lowerBoundSeconds <= table.total.seconds);
}

TEST(RunTime, RowsOfOneNameSayTheirBlock)
{
    Model model = *presetNamed("tiny");
    BlockRun other = model.runs.front();
    other.repeat = 3;
    get<DenseFfn>(other.block.ffn).dFf += 16;
    model.runs.push_back(other);
    const auto parts = measuredParts({.model = model, .workload = {.sequence = 8}});

    std::set<std::string> titles;
    for (const RunTimeRow& each : runTimeTable(parts, {}, {}, std::nullopt).rows) {
        EXPECT_TRUE(titles.insert(each.titleText).second) << each.titleText;
    }
    const int second = model.runs.front().repeat + 1;
    EXPECT_EQ(titles.count("Dense \xC3\x97"
                           "3, from block "
                           + std::to_string(second)),
              1U);
}

TEST(RunTime, MixersSayWhichHalfTheyBelongTo)
{
    Model model = *presetNamed("tiny");
    BlockRun encoder = model.runs.front();
    encoder.block.stack = Stack::encoder;
    encoder.block.mixer = Attention{.heads = 2, .kvHeads = 2, .causal = false};
    model.runs.insert(model.runs.begin(), encoder);
    const auto parts = measuredParts({.model = model, .workload = {.sequence = 8}});

    std::set<std::string> titles;
    std::set<std::string> halves;
    for (const RunTimeRow& each : runTimeTable(parts, {}, {}, std::nullopt).rows) {
        EXPECT_TRUE(titles.insert(each.titleText).second) << each.titleText;
        halves.insert(each.title);
    }
    EXPECT_EQ(halves.count("Attention, encoder"), 1U);
    EXPECT_EQ(halves.count("Attention, decoder"), 1U);
}

TEST(RunTime, ASilentDeviceIsTold)
{
    const auto parts = partsOf("gpt2");
    std::vector<PartTime> times(parts.size());
    times[0] = {.state = PartState::running, .silentSeconds = 7};

    EXPECT_EQ(runTimeTable(parts, times, {}, std::nullopt).rows[0].timeText, "no answer for 7 s");
}

TEST(RunTime, TheNoteNamesThePartThatFailed)
{
    const auto parts = partsOf("gpt2");
    std::vector<PartTime> times = allSettled(parts.size(), 0.01);
    times[0].state = PartState::notSettled;
    times[1] = {.state = PartState::failed, .sentence = "It ended by signal 9."};

    EXPECT_THAT(runTimeTable(parts, times, {}, {}).note,
                testing::HasSubstr("\nfailed: LayerNorm \xC3\x97"
                                   "25: It ended by signal 9"));
}

TEST(RunTime, ThePartsThatFailedAreSaidInOneSentence)
{
    const auto parts = partsOf("gpt2");
    std::vector<PartTime> times(2);
    EXPECT_EQ(failedPartsText(parts, times), "");
    EXPECT_EQ(failedPartsText(parts, {}), "");

    times[1] = {.state = PartState::failed, .sentence = "There is no kernel for it yet."};
    EXPECT_EQ(failedPartsText(parts, times),
              "failed: LayerNorm \xC3\x97"
              "25: There is no kernel for it yet");
    times[0] = {.state = PartState::failed};
    EXPECT_EQ(failedPartsText(parts, times), "failed: Embedding and 1 more");
    EXPECT_EQ(failedPartsText({}, times), "");
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
    EXPECT_EQ(table.rows[3].timeText, "not measured");
    times[3].state = PartState::queued;
    EXPECT_EQ(runTimeTable(parts, times, {}, std::nullopt).rows[3].timeText, "waiting");
    EXPECT_EQ(table.measured, 2);
    EXPECT_EQ(table.parts.timed, 1);
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
