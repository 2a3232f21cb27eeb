// SPDX-License-Identifier: MIT
#include "app/bench/shared/server.h"

#include "core/protocol/wire/wire.h"

#include <algorithm>
#include <utility>

namespace flopsmith::bench {
namespace {

constexpr std::size_t kMaxWaiting = 10'000;

} // namespace

Server::Server(Work work, Write write)
    : m_work(std::move(work))
    , m_write(std::move(write))
{}

void Server::write(const Answer& answer)
{
    const std::lock_guard lock(m_writing);
    m_write(answer);
}

void Server::accept(std::string_view line)
{
    const std::variant<Request, Failure> read = requestOf(line);
    if (const auto* failure = std::get_if<Failure>(&read)) {
        write(*failure);
        return;
    }
    const Request& request = std::get<Request>(read);
    if (const auto* cancelled = std::get_if<CancelRequest>(&request)) {
        cancel(cancelled->id);
        return;
    }
    {
        const std::lock_guard lock(m_mutex);
        if (m_waiting.size() < kMaxWaiting) {
            m_waiting.push_back(request);
            m_changed.notify_one();
            return;
        }
    }
    write(Failure{idOf(request), FailureCode::failed, "Too many requests are waiting already."});
}

void Server::acceptTooLong()
{
    write(
        Failure{0, FailureCode::badMessage, "message: a line is too long; at most 1 MiB is read"});
}

void Server::close()
{
    const std::lock_guard lock(m_mutex);
    m_closed = true;
    m_changed.notify_one();
}

void Server::cancel(RequestId id)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_running == id) {
            m_stop.request_stop();
            return;
        }
        const auto found =
            std::find_if(m_waiting.begin(), m_waiting.end(), [id](const Request& request) {
                return idOf(request) == id;
            });
        if (found == m_waiting.end()) {
            return;
        }
        m_waiting.erase(found);
    }
    write(Failure{id, FailureCode::cancelled, "Cancelled."});
}

std::optional<Request> Server::take()
{
    std::unique_lock lock(m_mutex);
    m_running.reset();
    m_changed.wait(lock, [this] { return m_closed || !m_waiting.empty(); });
    if (m_waiting.empty()) {
        return std::nullopt;
    }
    Request request = std::move(m_waiting.front());
    m_waiting.pop_front();
    m_running = idOf(request);
    m_stop = std::stop_source();
    return request;
}

void Server::work()
{
    while (const std::optional<Request> request = take()) {
        const std::stop_token stop = [this] {
            const std::lock_guard lock(m_mutex);
            return m_stop.get_token();
        }();
        write(m_work(*request, stop, [this](const Progress& progress) { write(progress); }));
    }
}

} // namespace flopsmith::bench
