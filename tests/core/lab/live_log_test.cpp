// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/dense.h"
#include "core/ffn/spectral.h"
#include "core/lab/log/lab_log_file.h"
#include "core/lab/log/lab_merge.h"
#include "core/lab/log/lab_tail.h"
#include "core/lab/log/reused_runs.h"
#include "core/lab/progress/time_left.h"
#include "tests/core/lab/temporary_folder.h"

#include <gtest/gtest.h>

#include <fstream>

namespace flopsmith {
namespace {

LabPlan twoArms()
{
    const LabPlan plan{
        .task = FactsTask{}, .sizes = {.dModel = 8, .layers = 1, .heads = 1}, .seeds = 2};
    return plannedLab(plan, {{.name = "dense", .ffn = DenseFfn{.dFf = 8}}}).value();
}

LabLog someRuns()
{
    LabLog log{.plan = twoArms(), .machine = "m", .runs = {}};
    for (const char* arm : {"dense", "none"}) {
        log.runs.push_back({.key = {.arm = arm, .seed = 1, .rate = 0.003},
                            .steps = 2,
                            .parameters = 7,
                            .end = RunEnd::finished,
                            .curves = {.losses = {2.0, 1.0}, .gradientNorms = {0.5, 0.25}},
                            .points = {{.step = 2, .flops = 4.0, .seconds = 1.0, .loss = 1.5}},
                            .parts = {{.part = "ffn", .norm = 0.25}}});
    }
    log.runs[1].end = RunEnd::open;
    return log;
}

TEST(LogText, IsReadAsTheSameLog)
{
    const LabLog log = someRuns();
    const LabLog read = parsedLabLog(logText(log), "log").value();

    EXPECT_EQ(read.damagedLines, 0U);
    EXPECT_EQ(read.plan, log.plan);
    EXPECT_EQ(read.runs, log.runs);
}

TEST(ReusedRuns, AreAllThatAPlanWouldTrainAlike)
{
    const LabLog log = someRuns();
    const auto runsWith = [&](const auto& change) {
        LabPlan plan = log.plan;
        change(plan);
        return withPlan(log, plan).runs.size();
    };
    EXPECT_EQ(runsWith([](LabPlan&) {}), 1U); // the other one is under way
    EXPECT_EQ(runsWith([](LabPlan& plan) { plan.seeds = 3; }), 1U);
    EXPECT_EQ(runsWith([](LabPlan& plan) { plan.arms.pop_back(); }), 1U);
    EXPECT_EQ(runsWith([](LabPlan& plan) { plan.arms.front().ffn = DenseFfn{.dFf = 4}; }), 0U);
    EXPECT_EQ(runsWith([](LabPlan& plan) { plan.baseRate = 1.0; }), 0U);
    EXPECT_EQ(runsWith([](LabPlan& plan) { plan.budget.steps = 7; }), 0U);
}

// Other arms move the ends of branches.
TEST(ReusedRuns, HaveNoSeedsOfBranchesThatWouldEndElsewhere)
{
    LabLog log = someRuns();
    log.plan.branches = {LabView::flops};
    LabPlan fewer = log.plan;
    fewer.arms.pop_back();

    EXPECT_EQ(withPlan(log, log.plan).runs.size(), 1U);
    EXPECT_EQ(withPlan(log, fewer).runs.size(), 0U);
}

class TailTest : public test::WithFolder
{
protected:
    void append(const std::string& text) const
    {
        std::ofstream(file("log.jsonl"), std::ios::app) << text;
    }
};

TEST_F(TailTest, ReadsWhatIsAppendedLittleByLittle)
{
    const std::string text = logText(someRuns());
    const std::size_t header = text.find('\n') + 1;
    append(text.substr(0, header));
    LabLog read;
    LabTail tail = LabTail::open(file("log.jsonl"), read).value();
    for (std::size_t place = header; place < text.size(); place += 7) { // across line ends
        append(text.substr(place, 7));
        EXPECT_TRUE(tail.readNext(5, read).ok());
    }
    while (!tail.isAtEnd()) {
        EXPECT_TRUE(tail.readNext(5, read).ok());
    }

    EXPECT_EQ(read.runs, someRuns().runs);
    EXPECT_EQ(read.damagedLines, 0U);
    EXPECT_FALSE(tail.readNext(100, read).value()); // nothing new
}

// As after a kill: who continues the log cuts off its last line.
TEST_F(TailTest, GoesOnWhereAnUnfinishedLineWasCutOff)
{
    const LabLog log = someRuns();
    append(headerLine(log.plan, "m").text() + "{\"run\":0,\"sta");
    LabLog read;
    LabTail tail = LabTail::open(file("log.jsonl"), read).value();
    EXPECT_FALSE(tail.readNext(1 << 20, read).value());
    EXPECT_TRUE(tail.isAtEnd());

    LabLogFile written = LabLogFile::reopen(file("log.jsonl")).value();
    EXPECT_FALSE(tail.readNext(1 << 20, read).value());
    append(runLines(0, log.runs[0]));
    EXPECT_TRUE(tail.readNext(1 << 20, read).value());

    ASSERT_EQ(read.runs.size(), 1U);
    EXPECT_EQ(read.runs[0], log.runs[0]);
    EXPECT_EQ(read.damagedLines, 0U);
}

TEST_F(TailTest, IsContinuedWithoutReadingTheLogAgain)
{
    append(logText(someRuns()) + "{\"run\":0,\"sta");
    LabLog read;
    LabTail tail = LabTail::open(file("log.jsonl"), read).value();

    LabLogFile written = LabLogFile::reopen(tail, read).value();
    EXPECT_EQ(read.runs, someRuns().runs);
    written.listen([&](const LogLine& line) {
        EXPECT_TRUE(applyLine(line, read));
        tail.skip(line);
    });
    ASSERT_TRUE(written.append(endLine(1, RunEnd::finished, 2)).ok());

    EXPECT_EQ(read.runs[1].end, RunEnd::finished);
    EXPECT_EQ(read.runs, readLabLog(file("log.jsonl")).value().runs);
    EXPECT_FALSE(tail.readNext(100, read).value()); // nothing new
}

TEST_F(TailTest, SaysWhatIsWrongAndKeepsWhatItHas)
{
    LabLog read;
    EXPECT_FALSE(LabTail::open(file("none.jsonl"), read).ok());
    append("no log\n");
    EXPECT_NE(LabTail::open(file("log.jsonl"), read).error().message.find("no log of a lab"),
              std::string::npos);
    std::ofstream(file("log.jsonl")) << logText(someRuns()) << "damaged\n";
    LabTail tail = LabTail::open(file("log.jsonl"), read).value();
    ASSERT_TRUE(tail.readNext(1 << 20, read).ok());
    EXPECT_EQ(read.damagedLines, 1U);

    std::ofstream(file("log.jsonl")) << "x";
    EXPECT_NE(tail.readNext(100, read).error().message.find("shorter"), std::string::npos);
    EXPECT_EQ(read.runs.size(), 2U);
}

TEST(TimeLeft, IsThatOfTheRunsBefore)
{
    TimeLeft left;
    left.update(100.0, {.done = 2, .planned = 10}, 0.5);
    EXPECT_FALSE(left.seconds());

    left.update(130.0, {.done = 4, .planned = 10}, 0.5); // two runs in 30 seconds
    EXPECT_DOUBLE_EQ(left.seconds().value(), 15.0 * 5.5);

    left.pause();
    left.update(1000.0, {.done = 4, .planned = 10}, 0.5);
    EXPECT_DOUBLE_EQ(left.seconds().value(), 15.0 * 5.5);
}

TEST(Arms, KeepTheirShareAtAnotherWidth)
{
    const FfnSpec dense = ffnAtWidth(DenseFfn{.dFf = 3072}, 768, 64);
    EXPECT_EQ(get<DenseFfn>(dense).dFf, 256);
    const FfnSpec spectral = ffnAtWidth(SpectralFfn{.kFreq = 385}, 768, 64);
    EXPECT_LE(get<SpectralFfn>(spectral).kFreq, 33);
    for (const ArmName& arm : armNames()) {
        const FfnSpec wide = armNamed(arm.name, 768).value();
        EXPECT_TRUE(comparedArms({{.name = "own", .ffn = ffnAtWidth(wide, 768, 64)}}, 64).ok())
            << arm.name;
    }
}

} // namespace
} // namespace flopsmith
