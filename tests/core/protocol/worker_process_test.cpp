// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/process/worker_process.h"

#include "tests/core/protocol/waiting.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace flopsmith {
namespace {

using test::kLong;
using Ended = WorkerProcess::Ended;

WorkerProcess started(const std::string& script)
{
    Result<WorkerProcess> worker = WorkerProcess::start({"/bin/sh", "-c", script});
    EXPECT_TRUE(worker.ok());
    return std::move(worker).value();
}

std::string lineOf(const WorkerProcess::Event& event)
{
    const auto* line = std::get_if<WorkerProcess::Line>(&event);
    EXPECT_NE(line, nullptr);
    return line == nullptr ? "" : line->text;
}

std::string endOf(const WorkerProcess::Event& event)
{
    const auto* ended = std::get_if<Ended>(&event);
    EXPECT_NE(ended, nullptr);
    return ended == nullptr ? "" : ended->sentence;
}

bool exists(int process)
{
    return ::kill(process, 0) == 0 || errno != ESRCH;
}

TEST(WorkerProcess, AnswersLineByLine)
{
    WorkerProcess worker = started("while read -r line; do echo \"<$line>\"; done");

    EXPECT_TRUE(worker.send("one").ok());
    EXPECT_TRUE(worker.send("two").ok());

    EXPECT_EQ(lineOf(worker.receive(kLong)), "<one>");
    EXPECT_EQ(lineOf(worker.receive(kLong)), "<two>");
}

TEST(WorkerProcess, AnAbsentCommandIsASentence)
{
    const Result<WorkerProcess> worker = WorkerProcess::start({"/nowhere/flopsmith-bench"});

    ASSERT_FALSE(worker.ok());
    EXPECT_EQ(worker.error().message,
              "\"/nowhere/flopsmith-bench\" cannot be started: No such file or directory");
    EXPECT_FALSE(WorkerProcess::start({}).ok());
}

TEST(WorkerProcess, LastLinesComeBeforeTheEndWhichQuotesStandardError)
{
    WorkerProcess worker = started("echo last; echo 'no route' >&2; echo 'to host' >&2; exit 7");

    EXPECT_EQ(lineOf(worker.receive(kLong)), "last");
    EXPECT_EQ(endOf(worker.receive(kLong)), "ended with exit code 7: no route to host");
    EXPECT_FALSE(worker.isRunning());
}

TEST(WorkerProcess, ASignalIsNamed)
{
    WorkerProcess worker = started("kill -SEGV $$");

    EXPECT_EQ(endOf(worker.receive(kLong)), "was ended by signal 11 (Segmentation fault)");
}

TEST(WorkerProcess, WritingToTheDeadIsAnError)
{
    WorkerProcess worker = started("exit 0");
    endOf(worker.receive(kLong));

    EXPECT_FALSE(worker.send("hello").ok());
}

TEST(WorkerProcess, WritingToAClosedInputIsAnErrorAndNoSignal)
{
    WorkerProcess worker = started("exec 0<&-; echo closed; exec sleep 100");
    EXPECT_EQ(lineOf(worker.receive(kLong)), "closed");

    EXPECT_EQ(worker.send("hello").error().message, "it no longer reads its input");
}

TEST(WorkerProcess, WritingToOneThatDoesNotReadTimesOut)
{
    WorkerProcess worker = started("exec sleep 100");

    const Status sent = worker.send(std::string(1 << 20, 'x'), Milliseconds(20));

    EXPECT_EQ(sent.error().message, "it does not read its input");
}

TEST(WorkerProcess, SilenceIsNoticed)
{
    WorkerProcess worker = started("exec sleep 100");

    EXPECT_TRUE(std::holds_alternative<WorkerProcess::Silent>(worker.receive(Milliseconds(10))));
}

TEST(WorkerProcess, AStopRequestEndsTheWait)
{
    WorkerProcess worker = started("exec sleep 100");
    std::stop_source stop;
    std::jthread other([&stop] { stop.request_stop(); });

    EXPECT_TRUE(
        std::holds_alternative<WorkerProcess::Stopped>(worker.receive(kLong, stop.get_token())));
}

TEST(WorkerProcess, AnEndlessLineIsDropped)
{
    WorkerProcess worker =
        started("head -c 3000000 /dev/zero | tr '\\0' x; echo; echo fine; exec sleep 100");

    EXPECT_TRUE(std::holds_alternative<WorkerProcess::TooLong>(worker.receive(kLong)));
    EXPECT_EQ(lineOf(worker.receive(kLong)), "fine");
}

// Dead but not yet reaped by whoever adopted it counts as ended.
bool runs(int process)
{
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string number;
    std::string name;
    std::string state;
    return (file >> number >> name >> state) && state != "Z" && state != "X";
}

TEST(WorkerProcess, KillingReachesWhatItStarted)
{
    int child = 0;
    {
        WorkerProcess worker = started("sleep 100 & echo $!; wait");
        child = std::stoi(lineOf(worker.receive(kLong)));
        EXPECT_TRUE(exists(child));
    }
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (runs(child) && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::yield();
    }
    EXPECT_FALSE(runs(child));
}

TEST(WorkerProcess, TheKilledAreGoneBeforeAnotherOneStarts)
{
    std::vector<int> killed;
    for (int i = 0; i < 5; ++i) {
        WorkerProcess worker = started("echo $$; exec sleep 100");
        killed.push_back(std::stoi(lineOf(worker.receive(kLong))));
    }

    const WorkerProcess next = started("exec sleep 100");

    for (const int process : killed) {
        EXPECT_FALSE(exists(process));
    }
}

TEST(WorkerProcess, AWaitForItsEndKeepsToTheTime)
{
    WorkerProcess worker = started("exec 1>&- 2>&-; exec sleep 100");

    WorkerProcess::Event event = WorkerProcess::Silent{};
    while (std::holds_alternative<WorkerProcess::Silent>(event)) {
        event = worker.receive(Milliseconds(20));
    }

    EXPECT_EQ(endOf(event), "closed its output");
    EXPECT_FALSE(worker.isRunning());
}

TEST(WorkerProcess, AStopIsHeardThroughAFlood)
{
    WorkerProcess worker = started("exec yes flood");
    std::stop_source stop;
    EXPECT_EQ(lineOf(worker.receive(kLong)), "flood");

    stop.request_stop();

    EXPECT_TRUE(
        std::holds_alternative<WorkerProcess::Stopped>(worker.receive(kLong, stop.get_token())));
}

} // namespace
} // namespace flopsmith
