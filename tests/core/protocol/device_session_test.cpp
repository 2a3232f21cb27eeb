// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/protocol/device/device_session.h"

#include "tests/core/protocol/waiting.h"
#include "tests/core/protocol/workers.h"

#include <gtest/gtest.h>

#include <iostream>
#include <thread>

namespace flopsmith {
namespace {

using test::kLong;
using WorkerFailure = DeviceSession::WorkerFailure;

MeasureRequest request()
{
    return {.operation = denseOperation()};
}

std::string failureOf(const DeviceSession::Reply& reply)
{
    const auto* failure = std::get_if<WorkerFailure>(&reply);
    EXPECT_NE(failure, nullptr);
    return failure == nullptr ? "" : failure->sentence;
}

bool isMeasured(const DeviceSession::Reply& reply)
{
    const auto* answer = std::get_if<Answer>(&reply);
    return answer != nullptr && std::holds_alternative<Measured>(*answer);
}

TEST(DeviceSession, KeepsItsProgramFromOneRequestToTheNext)
{
    DeviceSession session(scripted(shellWorker("progress; measured")));
    int reports = 0;

    EXPECT_TRUE(isMeasured(session.ask(request(), kLong, {}, [&](const Progress&) { ++reports; })));
    EXPECT_TRUE(isMeasured(session.ask(request(), kLong, {})));

    EXPECT_EQ(session.starts(), 1);
    EXPECT_EQ(reports, 1);
}

TEST(DeviceSession, AnAbsentProgramIsUnavailable)
{
    DeviceSession session({"GPU box", {"/nowhere/bench"}});

    const DeviceSession::Reply reply = session.ask(DescribeRequest{}, kLong, {});

    EXPECT_EQ(failureOf(reply),
              "The device \"GPU box\" is not available: \"/nowhere/bench\" cannot be started: No "
              "such file or directory.");
    EXPECT_TRUE(std::get<WorkerFailure>(reply).unavailable);
}

TEST(DeviceSession, ADyingProgramIsASentenceAndStartsAnewForTheNextRequest)
{
    DeviceSession session(scripted("echo 'driver crashed' >&2; kill -KILL $$"));

    EXPECT_EQ(failureOf(session.ask(request(), kLong, {})),
              "The measuring program of \"a test\" was ended by signal 9 (Killed): driver "
              "crashed.");
    failureOf(session.ask(request(), kLong, {}));
    EXPECT_EQ(session.starts(), 2);
}

TEST(DeviceSession, ABabblingProgramIsASentence)
{
    DeviceSession session(scripted("echo Welcome to GPU box; exec sleep 100"));

    EXPECT_EQ(failureOf(session.ask(request(), kLong, {})),
              "The measuring program of \"a test\" does not speak the protocol: it wrote "
              "\"Welcome to GPU box\".");
}

TEST(DeviceSession, AnAnswerToNoQuestionIsASentence)
{
    const std::string line = lineOf(Answer(Described{.id = 99}));
    DeviceSession session(scripted("echo '" + line + "'; exec sleep 100"));

    EXPECT_NE(failureOf(session.ask(request(), kLong, {})).find("nobody asked"), std::string::npos);
}

TEST(DeviceSession, AHangingProgramIsASentence)
{
    DeviceSession session(scripted(shellWorker("sleep 100")));

    EXPECT_EQ(failureOf(session.ask(request(), Milliseconds(30), {})),
              "The measuring program of \"a test\" has not answered for 30 ms.");
}

TEST(DeviceSession, AHeededCancelKeepsTheProgram)
{
    DeviceSession session(scripted(shellWorker("progress")), kLong);
    std::stop_source stop;

    const auto reply = session.ask(
        request(), kLong, stop.get_token(), [&](const Progress&) { stop.request_stop(); });

    EXPECT_TRUE(std::holds_alternative<DeviceSession::Cancelled>(reply));
    const auto described = session.ask(DescribeRequest{}, kLong, {});
    EXPECT_TRUE(std::holds_alternative<Answer>(described));
    EXPECT_EQ(session.starts(), 1);
}

TEST(DeviceSession, ACancelThatIsNotHeededKillsTheProgram)
{
    DeviceSession session(scripted(shellWorker("progress; sleep 100")));
    std::stop_source stop;
    std::chrono::steady_clock::time_point asked;

    const auto reply = session.ask(request(), kLong, stop.get_token(), [&](const Progress&) {
        asked = std::chrono::steady_clock::now();
        stop.request_stop();
    });

    const auto took =
        std::chrono::duration_cast<Milliseconds>(std::chrono::steady_clock::now() - asked);
    std::cout << "cancel of a program that does not listen: " << took.count() << " ms\n";
    EXPECT_TRUE(std::holds_alternative<DeviceSession::Cancelled>(reply));
    EXPECT_LT(took, Milliseconds(5000)); // 250 ms on a machine that is not busy otherwise
    EXPECT_TRUE(std::holds_alternative<Answer>(session.ask(DescribeRequest{}, kLong, {})));
    EXPECT_EQ(session.starts(), 2);
}

TEST(DeviceSession, AStopBeforeTheStartAsksNobody)
{
    DeviceSession session({"GPU box", {"/nowhere/bench"}});
    std::stop_source stop;
    stop.request_stop();

    EXPECT_TRUE(std::holds_alternative<DeviceSession::Cancelled>(
        session.ask(request(), kLong, stop.get_token())));
}

// As fast as it can, and no answer among it.
TEST(DeviceSession, AFloodOfProgressIsNoAnswer)
{
    DeviceSession session(scripted(shellWorker("exec yes \"$(progress)\"")));
    const auto start = std::chrono::steady_clock::now();

    EXPECT_NE(failureOf(session.ask(request(), Milliseconds(300), {})).find("has not answered"),
              std::string::npos);

    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

} // namespace
} // namespace flopsmith
