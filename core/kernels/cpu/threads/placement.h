// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <thread>

#if defined(__linux__)
#include <sched.h>
#endif

namespace flopsmith::cpu {

/// Keeps the threads of a team off the processor of the thread that gives them work. Otherwise the
/// kernel of a virtual machine often wakes them there: it takes a halted processor for one that the
/// host has suspended, and work that should be parallel becomes sequential (measured on two idle
/// processors: 165 of 200 steps of 1 ms, which took 2.2 ms instead of 1.1). Without Linux, or with
/// one processor, it does nothing.
class Placement
{
public:
    Placement();

    /// The number of processors that the program may use.
    int processors() const { return m_processors; }

    /// Restricts the workers to the processors that the program may use, except the calling
    /// thread's. While that thread stays on one processor, this only reads the processor's number.
    void keepOffCaller(std::span<std::jthread> workers);

    /// There are workers that have not been placed.
    void workersWereAdded() { m_caller = kNowhere; }

private:
    static constexpr int kNowhere = -1;

    int m_processors;
    int m_caller = kNowhere;
#if defined(__linux__)
    cpu_set_t m_usable{}; ///< by the program's first thread when the team began
#endif
};

} // namespace flopsmith::cpu
