// SPDX-License-Identifier: MIT
#include "core/protocol/process/host_turn.h"

#include <condition_variable>
#include <mutex>
#include <set>
#include <utility>

namespace flopsmith {
namespace {

struct Turns
{
    std::mutex mutex;
    std::condition_variable_any ended;
    std::set<std::string> taken; ///< hosts
};

// Never destroyed: a thread may end after the program's static objects have.
Turns& turns()
{
    static auto* all = new Turns; // NOLINT(cppcoreguidelines-owning-memory)
    return *all;
}

} // namespace

std::optional<HostTurn> HostTurn::take(const std::string& host, const std::stop_token& stop)
{
    if (host.empty()) {
        return stop.stop_requested() ? std::nullopt : std::optional(HostTurn(host));
    }
    Turns& all = turns();
    std::unique_lock lock(all.mutex);
    const bool isFree =
        all.ended.wait(lock, stop, [&all, &host] { return all.taken.count(host) == 0; });
    if (!isFree || stop.stop_requested()) {
        return std::nullopt;
    }
    all.taken.insert(host);
    return HostTurn(host);
}

HostTurn::HostTurn(std::string host)
    : m_host(std::move(host))
{}

HostTurn::HostTurn(HostTurn&& other) noexcept
    : m_host(std::exchange(other.m_host, {}))
{}

HostTurn& HostTurn::operator=(HostTurn&& other) noexcept
{
    std::swap(m_host, other.m_host); // the other object releases the turn of this one
    return *this;
}

HostTurn::~HostTurn()
{
    if (m_host.empty()) {
        return;
    }
    Turns& all = turns();
    {
        const std::lock_guard lock(all.mutex);
        all.taken.erase(m_host);
    }
    all.ended.notify_all();
}

} // namespace flopsmith
