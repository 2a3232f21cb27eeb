// SPDX-License-Identifier: MIT
#pragma once

#include "core/protocol/wire/message.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace flopsmith::bench {

/// The requests that wait, and the one that runs: lines come in on one thread and jobs are done on
/// another, so that a cancel arrives while a job runs. Knows neither pipes nor kernels.
class Server
{
public:
    using Report = std::function<void(const Progress&)>;
    /// Answers one request; heeds the token. Not called for cancels.
    using Work = std::function<Answer(const Request&, const std::stop_token&, const Report&)>;
    using Write = std::function<void(const Answer&)>;

    /// `write` is called from both threads, one at a time.
    Server(Work work, Write write);

    /// A line of input: queued, or answered at once if it is no request.
    void accept(std::string_view line);

    /// A line that was dropped because it was too long.
    void acceptTooLong();

    /// No more lines will come.
    void close();

    /// Does jobs until there are none and the input is closed.
    void work();

private:
    void write(const Answer& answer);
    void cancel(RequestId id);
    std::optional<Request> take();

    Work m_work;
    Write m_write;
    std::mutex m_writing;
    std::mutex m_mutex; ///< of everything below
    std::condition_variable m_changed;
    std::deque<Request> m_waiting;
    std::optional<RequestId> m_running;
    std::stop_source m_stop; ///< of the running job
    bool m_closed = false;
};

} // namespace flopsmith::bench
