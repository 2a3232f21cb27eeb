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

/// A queue of requests: one thread accepts lines and another does the jobs, so that a running job
/// can be cancelled. Independent of pipes and kernels.
class Server
{
public:
    using Report = std::function<void(const Progress&)>;
    /// Answers one request and polls the token. Not called for cancels.
    using Work = std::function<Answer(const Request&, const std::stop_token&, const Report&)>;
    using Write = std::function<void(const Answer&)>;

    /// `write` is called from both threads, one at a time.
    Server(Work work, Write write);

    /// Queues a line of input, or answers at once if it is no request.
    void accept(std::string_view line);

    /// Answers a line that was dropped because it was too long.
    void acceptTooLong();

    /// Marks the end of the input.
    void close();

    /// Does jobs until the queue is empty and the input closed.
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
