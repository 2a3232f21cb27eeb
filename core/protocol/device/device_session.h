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

/// How a device's program is asked: started when it is first needed, kept for the next request,
/// killed when it babbles, is silent for too long or does not heed a cancel, and started anew for
/// the request after that. One thread uses it at a time.
class DeviceSession
{
public:
    /// The program died, said what is no answer, or said nothing.
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

    /// What a program has to heed a cancel before it is killed. With the killing, which waits for
    /// nothing, and the way to the screen it stays below 200 ms on a machine that is busy.
    static constexpr Milliseconds kCancelGrace{100};

    explicit DeviceSession(Device device, Milliseconds cancelGrace = kCancelGrace)
        : m_device(std::move(device))
        , m_cancelGrace(cancelGrace)
    {}

    const Device& device() const { return m_device; }

    /// Sends the request under an id of the session's own and waits for its answer, at most
    /// `time`. On a stop request the program is asked to cancel, and killed if it does not.
    Reply ask(Request request,
              Milliseconds time,
              const std::stop_token& stop,
              const std::function<void(const Progress&)>& progress = {});

    /// Ends the program; the next ask() starts another.
    void close() { m_worker.reset(); }

    /// How often a program was started, for those who wonder why it takes so long.
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

/// What a person waits for when a device is asked whether it answers: one behind a network may have
/// to start first.
inline constexpr Milliseconds kDescribePatience{20'000};

/// Who the device is, or the sentence that says why it does not tell.
Result<Described> describedBy(DeviceSession& session,
                              Milliseconds time = kDescribePatience,
                              const std::stop_token& stop = {});

} // namespace flopsmith
