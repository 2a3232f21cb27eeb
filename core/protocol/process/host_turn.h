// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <stop_token>
#include <string>

namespace flopsmith {

/// The turn to measure on a host. Two programs that measure on one machine at the same time disturb
/// each other, so that only one thread of this program at a time has the turn of each host.
class HostTurn
{
public:
    /// Waits until the turn of that host is free; returns at once for an empty name, a host that is
    /// unknown. Nothing if it was stopped before.
    static std::optional<HostTurn> take(const std::string& host, const std::stop_token& stop);

    ~HostTurn();
    HostTurn(HostTurn&& other) noexcept;
    HostTurn& operator=(HostTurn&& other) noexcept;

private:
    explicit HostTurn(std::string host);

    std::string m_host; ///< empty: no turn
};

} // namespace flopsmith
