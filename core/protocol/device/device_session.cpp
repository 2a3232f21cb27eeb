// SPDX-License-Identifier: MIT
#include "core/protocol/device/device_session.h"

#include "core/base/printable.h"
#include "core/base/text.h"
#include "core/protocol/process/child_process.h"
#include "core/protocol/wire/wire.h"

#include <utility>

namespace flopsmith {
namespace {

using Clock = std::chrono::steady_clock;

// A greeting or a shell's message is more helpful than the position where it is not JSON.
std::string reasonOf(const std::string& line, const Error& error)
{
    if (line.starts_with('{')) {
        return error.message;
    }
    constexpr std::size_t kMax = 80;
    return "it wrote \"" + elided(printable(line), kMax) + "\"";
}

} // namespace

std::optional<DeviceSession::WorkerFailure> DeviceSession::startIfNeeded(
    const std::stop_token& stop)
{
    if (m_worker && m_worker->isRunning()) {
        return std::nullopt;
    }
    m_worker.reset();
    Result<WorkerProcess> worker = WorkerProcess::start(m_device.command, stop);
    if (!worker) {
        return WorkerFailure{.sentence = "The device \"" + m_device.name
                                 + "\" is not available: " + worker.error().message + ".",
                             .unavailable = true};
    }
    m_worker.emplace(std::move(*worker));
    ++m_starts;
    return std::nullopt;
}

DeviceSession::WorkerFailure DeviceSession::fail(const std::string& what)
{
    m_worker.reset();
    return {.sentence = "The measuring program of \"" + m_device.name + "\" " + what + "."};
}

DeviceSession::Reply DeviceSession::ask(Request request,
                                        Milliseconds time,
                                        const std::stop_token& stop,
                                        const std::function<void(const Progress&)>& progress)
{
    if (stop.stop_requested()) {
        return Cancelled{};
    }
    if (const auto failure = startIfNeeded(stop)) {
        return *failure;
    }
    const RequestId id = ++m_lastId;
    std::visit([id](auto& each) { each.id = id; }, request);
    if (const Status sent = m_worker->send(lineOf(request)); !sent) {
        // If the program has ended, its exit is more informative than the broken pipe.
        const WorkerProcess::Event event = m_worker->receive(m_cancelGrace, stop);
        const auto* ended = std::get_if<WorkerProcess::Ended>(&event);
        return fail(ended != nullptr ? ended->sentence : "does not work: " + sent.error().message);
    }
    const auto end = Clock::now() + time;
    for (;;) {
        // Progress that comes without end is no answer either.
        const Milliseconds left = leftUntil(end);
        const WorkerProcess::Event event =
            left.count() > 0 ? m_worker->receive(left, stop) : WorkerProcess::Silent{};
        if (std::holds_alternative<WorkerProcess::Stopped>(event)) {
            return cancel(id);
        }
        if (std::optional<Reply> reply = replyOf(event, id, time, progress)) {
            return std::move(*reply);
        }
    }
}

std::optional<DeviceSession::Reply> DeviceSession::replyOf(
    const WorkerProcess::Event& event,
    RequestId id,
    Milliseconds time,
    const std::function<void(const Progress&)>& progress)
{
    if (const auto* line = std::get_if<WorkerProcess::Line>(&event)) {
        return replyOf(line->text, id, progress);
    }
    if (const auto* ended = std::get_if<WorkerProcess::Ended>(&event)) {
        return fail(ended->sentence);
    }
    if (std::holds_alternative<WorkerProcess::TooLong>(event)) {
        return fail("sent a line of more than 1 MiB");
    }
    WorkerFailure silence =
        fail("has not answered for " + durationText(std::chrono::duration<double>(time).count()));
    silence.silent = true;
    return silence;
}

std::optional<DeviceSession::Reply> DeviceSession::replyOf(
    const std::string& line,
    RequestId id,
    const std::function<void(const Progress&)>& progress)
{
    Result<Answer> answer = answerOf(line);
    if (!answer) {
        return fail("does not speak the protocol: " + reasonOf(line, answer.error()));
    }
    const RequestId answered = idOf(*answer);
    if (answered != id && answered != 0 && answered <= m_lastId) {
        return std::nullopt; // to an earlier request that was given up
    }
    if (answered != id) {
        const auto* failure = std::get_if<Failure>(&*answer);
        return fail(failure != nullptr ? "did not understand: " + failure->sentence
                                       : "answered a question that nobody asked");
    }
    if (const auto* report = std::get_if<Progress>(&*answer)) {
        if (progress) {
            progress(*report);
        }
        return std::nullopt;
    }
    return std::move(*answer);
}

DeviceSession::Cancelled DeviceSession::cancel(RequestId id)
{
    const auto end = Clock::now() + m_cancelGrace;
    bool heeded = m_worker->send(lineOf(CancelRequest{id}), m_cancelGrace).ok();
    while (heeded) {
        const Milliseconds left = leftUntil(end);
        const WorkerProcess::Event event =
            left.count() > 0 ? m_worker->receive(left) : WorkerProcess::Silent{};
        const auto* line = std::get_if<WorkerProcess::Line>(&event);
        const Result<Answer> answer =
            line != nullptr ? answerOf(line->text) : Result<Answer>(Error{});
        if (!answer) {
            heeded = false;
        } else if (idOf(*answer) == id && !std::holds_alternative<Progress>(*answer)) {
            return Cancelled{};
        }
    }
    m_worker.reset();
    return Cancelled{};
}

Result<Described> describedBy(DeviceSession& session,
                              Milliseconds time,
                              const std::stop_token& stop)
{
    const DeviceSession::Reply reply = session.ask(DescribeRequest{}, time, stop);
    if (const auto* failure = std::get_if<DeviceSession::WorkerFailure>(&reply)) {
        return Error{failure->sentence};
    }
    const auto* answer = std::get_if<Answer>(&reply);
    if (answer == nullptr) {
        return Error{"The device \"" + session.device().name + "\" was not asked to the end."};
    }
    if (const auto* described = std::get_if<Described>(answer)) {
        return *described;
    }
    const auto* failure = std::get_if<Failure>(answer);
    return Error{failure != nullptr
                     ? failure->sentence
                     : "The device \"" + session.device().name + "\" gave an unexpected answer."};
}

} // namespace flopsmith
