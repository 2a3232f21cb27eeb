// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/model/presets.h"
#include "core/present/cost/memory_bars.h"
#include "core/present/roofline/roofline_points.h"
#include "core/present/stack/stack.h"
#include "core/present/time/run_time.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith {
namespace {

Scenario gpt2(Phase phase)
{
    return {.model = *presetNamed("gpt2"), .workload = {.phase = phase, .sequence = 256}};
}

HardwarePeak a100()
{
    return *hardwarePeak(*hardwareNamed("a100-sxm-80gb"), {.activationBits = 16});
}

TEST(MemoryBars, SegmentsLieEndToEndAndSumToTheMemory)
{
    for (const Preset& preset : presets()) {
        for (const Phase phase : {Phase::prefill, Phase::train}) {
            const Scenario scenario{preset.make(), {.phase = phase, .sequence = 64}};
            const MemoryChart chart = memoryChart(scenario);
            const Memory needed = memory(scenario);

            EXPECT_TRUE(chart.bars.front().bytes == needed.total()) << preset.id;
            Count kinds = 0;
            for (const MemoryBar& bar : chart.bars) {
                kinds += bar.kind ? bar.bytes : Count{0};
                double end = 0.0;
                for (const MemorySegment& segment : bar.segments) {
                    EXPECT_EQ(segment.start, end) << preset.id;
                    end = segment.end;
                }
                EXPECT_EQ(end, toDouble(bar.bytes)) << preset.id;
            }
            EXPECT_TRUE(kinds == needed.total()) << preset.id;
        }
    }
}

TEST(MemoryBars, LegendNamesEveryComponentOnce)
{
    const MemoryChart chart = memoryChart(gpt2(Phase::train));
    Count sum = 0;
    for (const MemoryLegendEntry& entry : chart.legend) {
        sum += entry.bytes;
    }

    EXPECT_TRUE(sum == chart.bars.front().bytes);
    EXPECT_EQ(chart.legend.front().component->id, "embedding");
}

TEST(MemoryBars, GhostsAreTheBarsOfTheOthersAndTheSameAxisHoldsThem)
{
    const Scenario live = gpt2(Phase::prefill);
    const Memory counted = memory(gpt2(Phase::train));
    const std::vector<ComparedDesign> others{
        {.name = "tiny", .scenario = {*presetNamed("tiny"), live.workload}},
        {.name = "B GPT-2", .scenario = gpt2(Phase::train), .memory = &counted, .letter = "B"}};

    const MemoryChart chart = memoryChart(live, nullptr, others);

    ASSERT_EQ(chart.others.size(), 2U);
    for (std::size_t i = 0; i < others.size(); ++i) {
        const Memory needed = memory(others[i].scenario);
        Count kinds = 0;
        for (const MemoryBar& bar : chart.bars) {
            const MemoryGhost& ghost = bar.ghosts.at(i);
            kinds += bar.kind ? ghost.bytes : Count{0};
            EXPECT_LE(toDouble(ghost.bytes), chart.axis(5).valueAt(1.0));
        }
        EXPECT_TRUE(kinds == needed.total()) << "every kind of it has a bar";
        EXPECT_TRUE(chart.bars.front().ghosts[i].bytes == needed.total());
        EXPECT_EQ(chart.others[i].title, others[i].name);
    }
    EXPECT_NE(chart.note.find("workload of its own: B GPT-2"), std::string::npos) << chart.note;
}

// What a figure depends on stands beside it: half of the bits are half of the bytes.
TEST(BudgetCharts, HeadingsNameThePrecision)
{
    struct Named
    {
        Precision precision;
        const char* memory;
        const char* format; ///< of the A100's peak
    };
    Precision mixed = Precision::of(16);
    mixed.weightBits = 4;
    for (const Named& named :
         {Named{Precision::of(32), " in 32 bit", "fp32"},
          Named{Precision::of(16), " in 16 bit", "bf16"},
          Named{mixed, " with weights 4 bit, activations 16 bit, cache 16 bit", "bf16"}}) {
        Scenario scenario = gpt2(Phase::prefill);
        scenario.workload.precision = named.precision;
        const std::string bytes = bytesText(toDouble(memory(scenario).total()));
        const HardwarePeak on =
            *hardwarePeak(*hardwareNamed("a100-sxm-80gb"), scenario.workload.precision);
        const RooflineChart roofs = rooflineChart(scenario, costTree(scenario), LensId::exact, on);

        EXPECT_EQ(memoryChart(scenario).heading, bytes + named.memory);
        EXPECT_NE(roofs.boundText.find(std::string(" in ") + named.format + ","), std::string::npos)
            << roofs.boundText;
        EXPECT_EQ(roofs.peakText.find(named.format), 0U) << roofs.peakText;
        EXPECT_EQ(roofs.notes.front(), std::string("bytes are counted") + named.memory);
        EXPECT_EQ(bytesDonut(costTree(scenario), scenario.workload.precision).title,
                  std::string("moved,") + named.memory);
    }
}

TEST(RooflineChart, HasAWholePassOfEachDesignBesideItsOperations)
{
    const Scenario scenario = gpt2(Phase::prefill);
    const Scenario other = {*presetNamed("llama-3-8b"), scenario.workload};
    const CostTree<Count> tree = costTree(scenario);
    const RooflineChart alone = rooflineChart(scenario, tree, LensId::exact, a100());
    RooflineChart chart = alone;
    const std::vector<ComparedDesign> designs{
        {.name = "gpt2", .scenario = scenario, .tree = &tree},
        {.name = "B Llama", .scenario = other, .letter = "B"}};

    addDesigns(chart, a100().hardware, designs, LensId::exact, PairsRule::exact);

    ASSERT_EQ(chart.points.size(), alone.points.size() + 2);
    const RooflinePoint& live = chart.points[alone.points.size()];
    double seconds = 0.0;
    for (const RooflinePoint& point : alone.points) {
        seconds += point.seconds;
    }
    EXPECT_GE(live.seconds, seconds * (1.0 - 1e-9)) << "what counts nothing moves bytes too";
    const Roofline whole =
        roofline(costTree(other), other.workload.precision, chart.peaks, LensId::exact);
    EXPECT_EQ(chart.points.back().seconds, whole.whole().seconds);
    EXPECT_EQ(chart.points.back().title, "B Llama");
    EXPECT_LE(chart.points.back().at.flopsPerSecond, chart.peaks.flopsPerSecond);
}

TEST(RooflineChart, SaysThatItCountsTheFewestExperts)
{
    const auto notesOf = [](int batch) {
        const Scenario mixtral{*presetNamed("mixtral-8x7b"),
                               {.phase = Phase::decode, .batch = batch, .context = 64}};
        return rooflineChart(mixtral, costTree(mixtral), LensId::exact, a100()).notes;
    };

    EXPECT_THAT(notesOf(3),
                testing::Contains("the fewest are counted of 2 to 6 of 8 experts per layer, 4.625 "
                                  "expected with even routing"));
    EXPECT_EQ(notesOf(1).size() + 1, notesOf(3).size());
}

TEST(RooflineChart, ADesignIsBoundedByThePeakOfItsOwnPrecision)
{
    const Scenario scenario = gpt2(Phase::prefill);
    Scenario half = scenario;
    half.workload.precision = Precision::of(16);
    const HardwarePeak on = *hardwarePeak(a100().hardware, scenario.workload.precision);
    RooflineChart chart = rooflineChart(scenario, costTree(scenario), LensId::exact, on);

    addDesigns(chart,
               on.hardware,
               std::vector<ComparedDesign>{{.name = "live", .scenario = scenario},
                                           {.name = "A", .scenario = half, .letter = "A"}},
               LensId::exact,
               PairsRule::exact);

    const Roofline own =
        roofline(costTree(half), half.workload.precision, a100().peaks(), LensId::exact);
    EXPECT_EQ(chart.points.back().seconds, own.whole().seconds);
    EXPECT_EQ(chart.points.back().title, "A in 16 bit");
    EXPECT_EQ(chart.points[chart.points.size() - 2].title, "live");
}

TEST(MemoryBars, ALimitIsDrawnWhereItIsNear)
{
    Hardware near = *hardwareNamed("t4");
    near.memoryBytes->value = 1.5 * toDouble(memory(gpt2(Phase::train)).total());
    Hardware far = near;
    far.memoryBytes->value *= 100;
    const MemoryChart small = memoryChart(gpt2(Phase::train), &near);
    const MemoryChart large = memoryChart(gpt2(Phase::train), &far);

    EXPECT_GE(small.axis(6).high, near.memoryBytes->value);
    EXPECT_LT(large.axis(6).high, far.memoryBytes->value);
    EXPECT_FALSE(small.limit->exceeded);
    near.memoryBytes->value = 1e6;
    EXPECT_TRUE(memoryChart(gpt2(Phase::train), &near).limit->exceeded);
}

RooflineChart rooflineOf(const Scenario& scenario)
{
    return rooflineChart(scenario, costTree(scenario), LensId::exact, a100());
}

TEST(RooflinePoints, ComputedOnesLieOnTheRoof)
{
    for (const Phase phase : {Phase::prefill, Phase::decode, Phase::train}) {
        const RooflineChart chart = rooflineOf(gpt2(phase));
        ASSERT_FALSE(chart.empty());
        for (const RooflinePoint& point : chart.points) {
            const double roof = std::min(chart.peaks.flopsPerSecond,
                                         point.at.intensity * chart.peaks.bytesPerSecond);
            EXPECT_NEAR(point.at.flopsPerSecond, roof, 1e-9 * roof) << point.title;
            EXPECT_EQ(point.binding == Binding::compute, point.at.intensity >= chart.peaks.ridge())
                << point.title;
        }
    }
}

// What counts nothing has a share of the bound too, and no point.
TEST(RooflinePoints, SharesAreOfTheWholeBoundAndTheLongestComeFirst)
{
    const Scenario scenario = gpt2(Phase::train);
    const RooflineChart chart = rooflineOf(scenario);
    const Roofline whole =
        roofline(costTree(scenario), scenario.workload.precision, chart.peaks, LensId::exact);
    double sum = 0.0;
    for (std::size_t i = 0; i < chart.points.size(); ++i) {
        sum += chart.points[i].seconds;
        EXPECT_NEAR(*chart.points[i].share, chart.points[i].seconds / whole.whole().seconds, 1e-9);
        EXPECT_TRUE(i == 0 || chart.points[i].seconds <= chart.points[i - 1].seconds);
    }

    EXPECT_LE(sum, whole.whole().seconds * (1.0 + 1e-9));
    EXPECT_TRUE(chart.points.front().labelled);
}

MachineRoofs someMachine()
{
    MachineRoofs roofs{.device = "this CPU", .threads = 2};
    roofs.products = {{NumberFormat::fp32, 2e11, ""}, {NumberFormat::bf16, 9e11, ""}};
    roofs.levels = {{"L1", 48'000, 1e12, 2, true}, {"memory", 1e9, 1e10, 2, false}};
    roofs.measuredAt = 1'767'225'600;
    return roofs;
}

/// Each part takes half a second per use; the last ones have no time.
std::vector<PartTime> timesWithout(std::span<const MeasuredPart> parts, std::size_t missing)
{
    std::vector<PartTime> times(parts.size(), {.state = PartState::settled, .medianSeconds = 0.5});
    std::fill(times.end() - static_cast<std::ptrdiff_t>(missing), times.end(), PartTime{});
    return times;
}

TEST(RooflinePoints, OnlyACompleteMeasurementHasSharesOfTheTime)
{
    const Scenario scenario = gpt2(Phase::prefill);
    const std::vector<MeasuredPart> parts = measuredParts(scenario);
    const std::size_t all = static_cast<std::size_t>(partsMeasured(parts, {}).all);
    double seconds = 0.0;
    for (const MeasuredPart& part : parts) {
        seconds += part.addsToTotal() ? 0.5 * part.uses : 0.0;
    }
    for (const std::size_t missing : {0U, 1U, 2U}) {
        const std::vector<PartTime> times = timesWithout(parts, missing);
        const RooflineChart chart =
            rooflineChart(scenario, costTree(scenario), LensId::exact, a100(), parts, times);

        EXPECT_EQ(chart.ranked, missing == 0 ? Origin::measured : Origin::computed);
        double shares = 0.0;
        for (const RooflinePoint& point : chart.points) {
            const bool measured = point.origin == Origin::measured;
            EXPECT_EQ(point.share.has_value(), !measured || missing == 0) << point.title;
            if (measured && missing == 0) {
                EXPECT_NEAR(*point.share, point.seconds / seconds, 1e-9) << point.title;
            }
            EXPECT_FALSE(point.labelled && point.origin != chart.ranked) << point.title;
            shares += point.labelled ? *point.share : 0.0;
        }
        EXPECT_LE(shares, 1.0 + 1e-9) << missing;
        const std::string note = "measured: " + std::to_string(all - missing) + " of "
            + std::to_string(all) + " parts; shares of the time are known when all are";
        EXPECT_EQ(std::count(chart.notes.begin(), chart.notes.end(), note), missing == 0 ? 0 : 1);
    }
}

// A list of another device's roofs is of that device, however much was measured here.
TEST(RooflinePoints, TheListIsOfTheDeviceWhoseRoofsAreShown)
{
    const Scenario scenario = gpt2(Phase::prefill);
    const std::vector<MeasuredPart> parts = measuredParts(scenario);
    const std::vector<PartTime> times = timesWithout(parts, 0);
    const MachineRoofs machine = someMachine();
    const HardwarePeak here = *hardwarePeak(hardwareOf(machine), Precision{});
    const auto rankedOn = [&](const HardwarePeak& on) {
        return rooflineChart(
                   scenario, costTree(scenario), LensId::exact, on, parts, times, &machine)
            .ranked;
    };

    EXPECT_EQ(rankedOn(here), Origin::measured);
    EXPECT_EQ(rankedOn(a100()), Origin::computed);
}

TEST(RooflinePoints, LieInsideTheAxes)
{
    const RooflineChart chart = rooflineOf(gpt2(Phase::decode));
    const TickAxis x = chart.xAxis(7);
    const TickAxis y = chart.yAxis(7);

    for (const RooflinePoint& point : chart.points) {
        EXPECT_GE(x.share(point.at.intensity), 0.0) << point.title;
        EXPECT_LE(x.share(point.at.intensity), 1.0) << point.title;
        EXPECT_GE(y.share(point.at.flopsPerSecond), 0.0) << point.title;
        EXPECT_LE(y.share(point.at.flopsPerSecond), 1.0) << point.title;
    }
    EXPECT_GE(x.ticks.size(), 2U);
}

TEST(RooflinePoints, TheRoofRisesToTheRidgeAndIsFlatBehindIt)
{
    const RooflineChart chart = rooflineOf(gpt2(Phase::prefill));
    const std::vector<RooflinePlace> roof = chart.roof(chart.xAxis(7));

    ASSERT_EQ(roof.size(), 3U);
    EXPECT_LT(roof[0].flopsPerSecond, chart.peaks.flopsPerSecond);
    EXPECT_EQ(roof[1], (RooflinePlace{chart.peaks.ridge(), chart.peaks.flopsPerSecond}));
    EXPECT_EQ(roof[2].flopsPerSecond, chart.peaks.flopsPerSecond);
}

TEST(RooflineCeilings, OnAnotherDeviceAllOfTheMachinesRoofsAreDrawnBesideItsOwn)
{
    const Scenario scenario = gpt2(Phase::prefill);
    const MachineRoofs machine = someMachine();
    const RooflineChart chart =
        rooflineChart(scenario, costTree(scenario), LensId::exact, a100(), {}, {}, &machine);

    EXPECT_EQ(chart.roofOrigin, Origin::computed);
    EXPECT_EQ(chart.ceilings.size(), 4U);
    ASSERT_GE(chart.notes.size(), 3U);
    EXPECT_EQ(chart.notes[0],
              "dashed roofs: measured on this CPU, 2 threads, 2026-01-01 00:00 UTC");
    EXPECT_EQ(chart.notes[1], "fp32 200 GFLOP/s, bf16 900, L1 1 TB/s, memory 10 GB/s");
    EXPECT_EQ(chart.notes[2].find("solid roof: data sheet of NVIDIA A100"), 0U) << chart.notes[2];
}

TEST(RooflineCeilings, OnTheMachineItselfThePairIsMeasuredAndNotDrawnTwice)
{
    const Scenario scenario = gpt2(Phase::prefill);
    const MachineRoofs machine = someMachine();
    const HardwarePeak on = *hardwarePeak(hardwareOf(machine), Precision{});
    const RooflineChart chart =
        rooflineChart(scenario, costTree(scenario), LensId::exact, on, {}, {}, &machine);

    EXPECT_EQ(chart.roofOrigin, Origin::measured);
    ASSERT_EQ(chart.ceilings.size(), 2U);
    EXPECT_EQ(chart.ceilings[0].text, "bf16 900 GFLOP/s");
    EXPECT_EQ(chart.ceilings[1].text, "L1 1 TB/s");
    for (const std::string& note : chart.notes) {
        EXPECT_EQ(note.find("data sheet"), std::string::npos) << note;
    }
}

TEST(RooflineCeilings, LieInsideTheAxesAndNoSlopeRisesAboveTheFlatRoofs)
{
    const Scenario scenario = gpt2(Phase::decode);
    const MachineRoofs machine = someMachine();
    for (const HardwarePeak& on : {a100(), *hardwarePeak(hardwareOf(machine), Precision{})}) {
        const RooflineChart chart =
            rooflineChart(scenario, costTree(scenario), LensId::exact, on, {}, {}, &machine);
        const TickAxis x = chart.xAxis(7);
        const TickAxis y = chart.yAxis(7);
        for (const RooflineCeiling& ceiling : chart.ceilings) {
            const std::vector<RooflinePlace> line = chart.line(ceiling, x);
            ASSERT_EQ(line.size(), 2U) << ceiling.text;
            EXPECT_LT(line[0].intensity, line[1].intensity) << ceiling.text;
            EXPECT_LE(line[1].flopsPerSecond, 9e11 * (1 + 1e-9)) << ceiling.text;
            EXPECT_LE(y.share(line[1].flopsPerSecond), 1.0) << ceiling.text;
            EXPECT_GT(y.share(line[1].flopsPerSecond), 0.0) << ceiling.text;
            if (ceiling.kind == RooflineCeiling::Kind::memory) {
                EXPECT_NEAR(line[1].flopsPerSecond / line[1].intensity,
                            ceiling.perSecond,
                            1e-6 * ceiling.perSecond);
            }
        }
    }
}

TEST(RooflinePoints, MeasuredOnesAreWhereTheyWereFound)
{
    const Scenario scenario = gpt2(Phase::prefill);
    const std::vector<MeasuredPart> parts = measuredParts(scenario);
    std::vector<PartTime> times(parts.size(), {.state = PartState::settled});
    for (PartTime& time : times) {
        time.medianSeconds = 0.5;
    }
    const RooflineChart chart =
        rooflineChart(scenario, costTree(scenario), LensId::exact, a100(), parts, times);

    int measured = 0;
    for (const RooflinePoint& point : chart.points) {
        if (point.origin == Origin::measured) {
            ++measured;
            EXPECT_LT(point.at.flopsPerSecond, point.at.intensity * chart.peaks.bytesPerSecond)
                << point.title;
        }
    }
    EXPECT_GT(measured, 3);
}

TEST(RooflinePoints, ANoteSaysWhyAPartHasNone)
{
    const Scenario scenario = gpt2(Phase::prefill);
    const std::vector<MeasuredPart> parts = measuredParts(scenario);
    std::vector<PartTime> times(parts.size(), {.state = PartState::settled, .medianSeconds = 0.5});
    const auto notesWith = [&] {
        return rooflineChart(scenario, costTree(scenario), LensId::exact, a100(), parts, times)
            .notes;
    };
    times[1] = {.state = PartState::pending};
    const std::size_t notes = notesWith().size();
    times[1] = {.state = PartState::failed, .sentence = "There is no kernel for it yet"};

    ASSERT_EQ(notesWith().size(), notes + 1);
    EXPECT_EQ(notesWith().back(), failedPartsText(parts, times));
}

TEST(RooflinePoints, WithoutPeaksTheChartSaysSo)
{
    const HardwarePeak unknown{.hardware = {.name = "mystery"}};
    const Scenario scenario = gpt2(Phase::prefill);
    const RooflineChart chart = rooflineChart(scenario, costTree(scenario), LensId::exact, unknown);

    EXPECT_TRUE(chart.empty());
    EXPECT_FALSE(chart.emptyText.empty());
}

// The canvas' bars are the step's parts: forward, recomputed and backward together.
TEST(StackOfATrainingStep, BarsSumTheDirections)
{
    Scenario scenario = gpt2(Phase::train);
    scenario.workload.checkpointing = Checkpointing::full;
    const CostTree<Count> tree = costTree(scenario);
    const StackPicture picture = stackPicture(scenario, tree, LensId::matmul);
    double bars = 0.0;
    for (const StackRow& row : picture.rows) {
        for (const StackPart& part : row.parts) {
            bars += part.bar.value;
        }
    }

    EXPECT_EQ(bars, toDouble(priced(LensId::matmul, tree.total().count)));
}

} // namespace
} // namespace flopsmith
