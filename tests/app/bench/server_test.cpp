// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/shared/server.h"

#include "core/protocol/wire/wire.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <thread>
#include <vector>

namespace flopsmith::bench {
namespace {

std::string codeOf(const Answer& answer)
{
    if (const auto* failure = std::get_if<Failure>(&answer)) {
        return failure->code == FailureCode::cancelled ? "cancelled" : "error";
    }
    return std::holds_alternative<Progress>(answer) ? "progress" : "done";
}

// A server whose jobs answer with PeaksMeasured, and what it wrote: "1 done".
struct Fixture
{
    std::vector<std::string> written;
    Server server{[](const Request& request, const std::stop_token&, const Server::Report& report) {
                      report(Progress{.id = idOf(request)});
                      return PeaksMeasured{.id = idOf(request)};
                  },
                  [this](const Answer& answer) {
                      written.push_back(std::to_string(idOf(answer)) + " " + codeOf(answer));
                  }};

    void ask(const Request& request) { server.accept(lineOf(request)); }
};

TEST(Server, AnswersInOrderAndEndsWithTheInput)
{
    Fixture fixture;
    fixture.ask(PeaksRequest{.id = 1});
    fixture.ask(DescribeRequest{.id = 2});
    fixture.server.close();

    fixture.server.work();

    EXPECT_EQ(fixture.written,
              (std::vector<std::string>{"1 progress", "1 done", "2 progress", "2 done"}));
}

TEST(Server, GarbageIsAnsweredAtOnceAndHarmsNothing)
{
    Fixture fixture;
    fixture.server.accept("garbage");
    fixture.server.acceptTooLong();
    fixture.ask(PeaksRequest{.id = 1});
    fixture.server.close();

    fixture.server.work();

    EXPECT_EQ(fixture.written,
              (std::vector<std::string>{"0 error", "0 error", "1 progress", "1 done"}));
}

TEST(Server, AWaitingRequestIsCancelledWithoutRunning)
{
    Fixture fixture;
    fixture.ask(PeaksRequest{.id = 1});
    fixture.ask(PeaksRequest{.id = 2});
    fixture.ask(CancelRequest{2});
    fixture.ask(CancelRequest{77});
    fixture.server.close();

    fixture.server.work();

    EXPECT_EQ(fixture.written, (std::vector<std::string>{"2 cancelled", "1 progress", "1 done"}));
}

TEST(Server, ARunningJobSeesTheCancel)
{
    std::vector<std::string> written;
    Server* self = nullptr;
    Server server(
        [&](const Request& request, const std::stop_token& stop, const Server::Report&) -> Answer {
            std::mutex mutex;
            std::condition_variable_any changed;
            std::unique_lock lock(mutex);
            std::jthread other([&] { self->accept(lineOf(CancelRequest{idOf(request)})); });
            changed.wait(lock, stop, [] { return false; });
            return Failure{idOf(request), FailureCode::cancelled, ""};
        },
        [&](const Answer& answer) {
            written.push_back(std::to_string(idOf(answer)) + " " + codeOf(answer));
        });
    self = &server;
    server.accept(lineOf(PeaksRequest{.id = 4}));
    server.accept(lineOf(PeaksRequest{.id = 5}));
    server.close();

    server.work();

    EXPECT_EQ(written, (std::vector<std::string>{"4 cancelled", "5 cancelled"}));
}

} // namespace
} // namespace flopsmith::bench
