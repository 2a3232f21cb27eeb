// SPDX-License-Identifier: MIT
#pragma once

#include "core/protocol/device/device.h"
#include "core/protocol/process/worker_process.h"
#include "core/protocol/wire/message.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>

namespace flopsmith {

/// Asks a device's program: starts it on the first request and keeps it for the next, kills it if
/// it sends garbage, is silent for too long or ignores a cancel, and restarts it for the request
/// after that. One thread uses it at a time.
class DeviceSession
{
public:
    /// The program died, sent something that is not an answer, or sent nothing.
    struct WorkerFailure
    {
        std::string sentence; ///< names the device
        bool unavailable = false; ///< it could not even be started
        bool silent = false; ///< it runs, and gave no answer within the time
    };
    struct Cancelled
    {};
    /// Any answer but Progress.
    using Reply = std::variant<Answer, WorkerFailure, Cancelled>;

    /// Time for a program to obey a cancel before it is killed. Together with the kill, which does
    /// not wait, and the update of the screen it stays below 200 ms on a busy machine.
    static constexpr Milliseconds kCancelGrace{100};

    explicit DeviceSession(Device device, Milliseconds cancelGrace = kCancelGrace)
        : m_device(std::move(device))
        , m_cancelGrace(cancelGrace)
    {}

    const Device& device() const { return m_device; }

    /// Sends the request under an id of the session's own and waits for its answer, at most `time`.
    /// On a stop request the program gets a cancel, and is killed if it ignores it.
    Reply ask(Request request,
              Milliseconds time,
              const std::stop_token& stop,
              const std::function<void(const Progress&)>& progress = {});

    /// Ends the program; the next ask() starts another.
    void close() { m_worker.reset(); }

    /// How often the program was started, as an explanation of long waits.
    int starts() const { return m_starts; }

private:
    std::optional<WorkerFailure> startIfNeeded(const std::stop_token& stop);
    WorkerFailure fail(const std::string& what);
    Cancelled cancel(RequestId id);
    std::optional<Reply> replyOf(const WorkerProcess::Event& event,
                                 RequestId id,
                                 Milliseconds time,
                                 const std::function<void(const Progress&)>& progress);
    std::optional<Reply> replyOf(const std::string& line,
                                 RequestId id,
                                 const std::function<void(const Progress&)>& progress);

    Device m_device;
    Milliseconds m_cancelGrace;
    std::optional<WorkerProcess> m_worker;
    RequestId m_lastId = 0;
    int m_starts = 0;
};

/// How long to wait for a description of a device: one on a network may have to start first.
inline constexpr Milliseconds kDescribePatience{20'000};

/// The device's description, or an Error that says why there is none.
Result<Described> describedBy(DeviceSession& session,
                              Milliseconds time = kDescribePatience,
                              const std::stop_token& stop = {});

} // namespace flopsmith
