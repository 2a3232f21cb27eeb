// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/dense.h"
#include "core/model/presets.h"
#include "core/protocol/measuring/measuring.h"
#include "core/protocol/wire/wire.h"
#include "tests/support/programs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

// The real program over its pipes.
namespace flopsmith {
namespace {

constexpr Milliseconds kLong(60'000);

std::string bench()
{
    return builtProgram("flopsmith-bench");
}

Device thisCpu()
{
    return {"this CPU", {bench()}};
}

WorkerProcess started(std::vector<std::string> command)
{
    Result<WorkerProcess> worker = WorkerProcess::start(command);
    EXPECT_TRUE(worker.ok()) << worker.error().message;
    return std::move(worker).value();
}

std::string lineOrEnd(const WorkerProcess::Event& event)
{
    if (const auto* line = std::get_if<WorkerProcess::Line>(&event)) {
        return line->text;
    }
    const auto* ended = std::get_if<WorkerProcess::Ended>(&event);
    return ended != nullptr ? ended->sentence : "nothing";
}

Operation longOperation()
{
    return {.what = FfnSpec(DenseFfn{}), .dModel = 768, .sequence = 256, .context = 256};
}

TEST(BenchProgram, TheTinyModelIsMeasuredFromEndToEnd)
{
    DeviceSession session(thisCpu());
    KnownResults known;
    const auto plan = measuredParts({.model = *presetNamed("tiny"), .workload = {.sequence = 16}});

    const MeasuringOutcome outcome =
        measureParts(session, plan, {.budgetSeconds = 1.0}, {}, known, {});

    EXPECT_FALSE(outcome.unavailable.has_value());
    ASSERT_TRUE(outcome.described.has_value());
    EXPECT_EQ(outcome.described->kind, "cpu");
    EXPECT_FALSE(outcome.described->libraries.empty());
    ASSERT_TRUE(outcome.peaks.has_value());
    EXPECT_GT(outcome.peaks->flopsPerSecond, 1e8);
    EXPECT_GT(outcome.peaks->bytesPerSecond, 1e8);
    EXPECT_GT(outcome.peaks->measuredAt, 1'700'000'000);
    for (std::size_t i = 0; i < plan.size(); ++i) {
        EXPECT_EQ(outcome.parts[i].stage, PartStage::measured)
            << plan[i].path << ": " << outcome.parts[i].sentence;
    }
    EXPECT_EQ(session.starts(), 1);
}

TEST(BenchProgram, ARunningJobIsCancelledSoon)
{
    DeviceSession session(thisCpu());
    std::stop_source stop;
    std::chrono::steady_clock::time_point asked;

    const auto reply =
        session.ask(MeasureRequest{.operation = longOperation(), .budgetSeconds = 600.0},
                    kLong,
                    stop.get_token(),
                    [&](const Progress& progress) {
                        if (progress.stage == "timing" && !stop.stop_requested()) {
                            asked = std::chrono::steady_clock::now();
                            stop.request_stop();
                        }
                    });

    const auto took =
        std::chrono::duration_cast<Milliseconds>(std::chrono::steady_clock::now() - asked);
    std::cout << "cancel of a running measurement: " << took.count() << " ms\n";
    EXPECT_TRUE(std::holds_alternative<DeviceSession::Cancelled>(reply));
    EXPECT_LT(took, Milliseconds(5000)); // 250 ms on a machine that is not busy otherwise
}

TEST(BenchProgram, GarbageGetsAnErrorLineAndTheNextRequestItsAnswer)
{
    WorkerProcess worker = started({bench()});
    EXPECT_TRUE(worker.send("\xff\xfe{{{").ok());
    EXPECT_TRUE(worker.send(std::string(3 << 20, 'x'), kLong).ok());
    EXPECT_TRUE(worker.send(lineOf(DescribeRequest{.id = 6})).ok());

    for (const int id : {0, 0, 6}) {
        const Result<Answer> answer = answerOf(lineOrEnd(worker.receive(kLong)));
        ASSERT_TRUE(answer.ok()) << answer.error().message;
        EXPECT_EQ(idOf(*answer), id);
        EXPECT_EQ(std::holds_alternative<Failure>(*answer), id == 0);
    }
}

TEST(BenchProgram, TheEndOfTheInputEndsItQuietlyAfterTheLastAnswer)
{
    const std::string describe = lineOf(DescribeRequest{.id = 6});
    WorkerProcess worker =
        started({"/bin/sh", "-c", "printf '%s\\n' '" + describe + "' | " + shellWord(bench())});

    EXPECT_TRUE(answerOf(lineOrEnd(worker.receive(kLong))).ok());
    EXPECT_EQ(lineOrEnd(worker.receive(kLong)), "ended with exit code 0");
}

TEST(BenchProgram, ItDoesNotOutliveWhoeverReadsItsAnswers)
{
    const std::string endless =
        lineOf(MeasureRequest{.id = 6, .operation = longOperation(), .budgetSeconds = 600.0});
    WorkerProcess worker =
        started({"/bin/sh",
                 "-c",
                 "printf '%s\\n' '" + endless + "' | " + shellWord(bench()) + " | head -n 1"});

    EXPECT_NE(lineOrEnd(worker.receive(kLong)).find("progress"), std::string::npos);
    EXPECT_EQ(lineOrEnd(worker.receive(kLong)), "ended with exit code 0");
}

TEST(BenchProgram, ItNamesItsVersionAndRefusesOtherArguments)
{
    WorkerProcess version = started({bench(), "--version"});
    EXPECT_EQ(lineOrEnd(version.receive(kLong)).rfind("flopsmith-bench ", 0), 0U);

    WorkerProcess wrong = started({bench(), "--fast"});
    EXPECT_EQ(lineOrEnd(wrong.receive(kLong)).rfind("ended with exit code 2: ", 0), 0U);
}

// The protocol promises an end at once, also while there is nothing to do.
TEST(BenchProgram, AnIdleProgramEndsWhenNobodyReadsItsAnswersAnyMore)
{
    // Its standard input stays open, and true does not read.
    WorkerProcess worker = started({"/bin/sh", "-c", shellWord(bench()) + " | true"});

    EXPECT_EQ(lineOrEnd(worker.receive(kLong)), "ended with exit code 0");
}

} // namespace
} // namespace flopsmith
