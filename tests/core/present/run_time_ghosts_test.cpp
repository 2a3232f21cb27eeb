// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/present/time/run_time_ghosts.h"

#include "core/ffn/spectral.h"
#include "core/present/base/design_marks.h"
#include "tests/core/present/scenarios.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace flopsmith {
namespace {

using test::allSettled;
using test::scenarioOf;
using testing::HasSubstr;

// A device that takes as long for every use of every part.
DesignTimes measuredOn(const std::string& device, const Scenario& scenario, double seconds)
{
    std::vector<MeasuredPart> parts = measuredParts(scenario);
    const std::size_t count = parts.size();
    return {.device = device, .parts = std::move(parts), .times = allSettled(count, seconds)};
}

RunTimeTable tableOf(const Scenario& scenario, double seconds)
{
    const DesignTimes live = measuredOn("this CPU", scenario, seconds);
    return runTimeTable(live.parts, live.times, {}, std::nullopt);
}

Scenario withSpectralFfn(Scenario scenario)
{
    for (BlockRun& run : scenario.model.runs) {
        run.block.ffn = SpectralFfn{};
    }
    return scenario;
}

const RunTimeRow* rowNamed(const RunTimeTable& table, std::string_view title)
{
    const auto found = std::find_if(table.rows.begin(),
                                    table.rows.end(),
                                    [title](const RunTimeRow& row) { return row.title == title; });
    return found == table.rows.end() ? nullptr : &*found;
}

TEST(RunTimeGhosts, TheSameDesignStandsBesideEveryRow)
{
    const Scenario scenario = scenarioOf("gpt2", 8);
    RunTimeTable table = tableOf(scenario, 0.01);
    const std::vector<ComparedDesign> designs{{.name = "A", .scenario = scenario}};

    addGhosts(table, "this CPU", designs, std::vector{measuredOn("this CPU", scenario, 0.02)});

    ASSERT_EQ(table.others.size(), 1U);
    EXPECT_EQ(table.others[0].mark, &designMark(designs[0], 0));
    EXPECT_NEAR(table.others[0].totalSeconds, 2.0 * table.total.seconds, 1e-12);
    for (const RunTimeRow& row : table.rows) {
        if (row.isStage) {
            EXPECT_TRUE(row.ghosts.empty()) << row.path;
            continue;
        }
        ASSERT_EQ(row.ghosts.size(), 1U) << row.path;
        EXPECT_NEAR(row.ghosts[0].seconds, 2.0 * row.seconds, 1e-12) << row.path;
    }
}

TEST(RunTimeGhosts, AReplacedPartStandsBesideWhatReplacedIt)
{
    const Scenario dense = scenarioOf("gpt2", 8);
    const Scenario spectral = withSpectralFfn(dense);
    RunTimeTable table = tableOf(spectral, 0.01);

    addGhosts(table,
              "this CPU",
              std::vector<ComparedDesign>{{.name = "A", .scenario = dense}},
              std::vector{measuredOn("this CPU", dense, 0.03)});

    const RunTimeRow* ffn = rowNamed(table, "Spectral");
    ASSERT_NE(ffn, nullptr);
    ASSERT_EQ(ffn->ghosts.size(), 1U);
    EXPECT_NEAR(ffn->ghosts[0].seconds, 12 * 0.03, 1e-12);
}

// What no row shows is said, so that the total of the design can be understood.
TEST(RunTimeGhosts, TheBarsAndWhatIsBesideNoneAreTheTotal)
{
    for (const char* preset : {"gpt2", "gpt2-half-swapped", "llama-3-8b", "tiny"}) {
        const Scenario scenario = scenarioOf("gpt2", 8);
        const Scenario other = scenarioOf(preset, 8);
        RunTimeTable table = tableOf(scenario, 0.01);

        addGhosts(table,
                  "this CPU",
                  std::vector<ComparedDesign>{{.name = "A", .scenario = other}},
                  std::vector{measuredOn("this CPU", other, 0.01)});

        double shown = 0.0;
        for (const RunTimeRow& row : table.rows) {
            shown += row.isStage ? 0.0 : row.ghosts.at(0).seconds;
        }
        const double rest = table.others[0].totalSeconds - shown;
        EXPECT_GT(shown, 0.0) << preset;
        EXPECT_GE(rest, -1e-9) << preset;
        EXPECT_EQ(rest > 1e-9, table.note.find("beside no bar: ") != std::string::npos) << preset;
    }
}

TEST(RunTimeGhosts, AnotherDeviceIsNotCompared)
{
    const Scenario scenario = scenarioOf("gpt2", 8);
    RunTimeTable table = tableOf(scenario, 0.01);

    addGhosts(table,
              "this CPU",
              std::vector<ComparedDesign>{{.name = "A", .scenario = scenario},
                                          {.name = "B", .scenario = scenario}},
              std::vector{measuredOn("lab-gpu", scenario, 0.01), DesignTimes{}});

    for (const RunTimeDesign& design : table.others) {
        EXPECT_EQ(design.totalSeconds, 0.0);
        EXPECT_EQ(design.totalText, "not measured");
    }
    for (const RunTimeRow& row : table.rows) {
        EXPECT_TRUE(std::all_of(row.ghosts.begin(),
                                row.ghosts.end(),
                                [](const RunTimeGhost& ghost) { return ghost.seconds == 0.0; }));
    }
    EXPECT_THAT(table.note, HasSubstr("measured on another device and not compared: A on lab-gpu"));
    EXPECT_THAT(table.note, HasSubstr("not measured on this CPU: B"));
}

TEST(RunTimeGhosts, AnIncompleteDesignHasNoTotal)
{
    const Scenario scenario = scenarioOf("gpt2", 8);
    RunTimeTable table = tableOf(scenario, 0.01);
    DesignTimes some = measuredOn("this CPU", scenario, 0.01);
    some.times.resize(1);

    addGhosts(table,
              "this CPU",
              std::vector<ComparedDesign>{{.name = "A", .scenario = scenario}},
              std::vector{some});

    EXPECT_EQ(table.others[0].totalSeconds, 0.0);
    EXPECT_THAT(table.others[0].totalText, testing::StartsWith("1 of "));
}

TEST(RunTimeGhosts, WithoutOthersTheTableIsAsItWas)
{
    const Scenario scenario = scenarioOf("gpt2", 8);
    RunTimeTable table = tableOf(scenario, 0.01);
    const std::string note = table.note;

    addGhosts(table, "this CPU", {}, {});

    EXPECT_EQ(table.note, note);
    EXPECT_TRUE(table.others.empty());
    EXPECT_TRUE(table.rows.front().ghosts.empty());
}

} // namespace
} // namespace flopsmith
