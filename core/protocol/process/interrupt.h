// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/file_handle.h"

#include <atomic>
#include <csignal>
#include <stop_token>
#include <thread>
#include <vector>

namespace flopsmith {

/// While it lives, Ctrl-C, a polite kill and a closed terminal (SIGINT, SIGTERM, SIGHUP) stop a
/// token instead of the program, so that a headless command can end its measuring program and
/// report its progress. Create it before the threads that it concerns: they inherit the blocked
/// signals. A signal that the program ignores stays ignored. If the system has no thread for it,
/// signals end the program as usual.
class Interrupt
{
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    std::stop_token token() const { return m_stop.get_token(); }

    /// The signal that came, or 0: to be raised again once everything is tidy.
    int signal() const { return m_signal; }

private:
    void awaitSignals();

    sigset_t m_signals{};
    sigset_t m_before{};
    std::stop_source m_stop;
    std::atomic<int> m_signal = 0;
    FileHandle m_end; ///< written to when signals are no longer awaited
    std::vector<std::jthread> m_waiting; ///< one thread, or none
};

} // namespace flopsmith
