// SPDX-License-Identifier: MIT
#pragma once

#include <csignal>
#include <stop_token>
#include <thread>

namespace flopsmith {

/// While it lives, Ctrl-C and a polite kill (SIGINT, SIGTERM) stop a token instead of the program,
/// so that a headless command can end its measuring program and say how far it came. Create it
/// before the threads that it concerns: they inherit that these signals wait for it.
class Interrupt
{
public:
    Interrupt();
    ~Interrupt();
    Interrupt(const Interrupt&) = delete;
    Interrupt& operator=(const Interrupt&) = delete;

    std::stop_token token() const { return m_stop.get_token(); }

private:
    sigset_t m_signals{};
    sigset_t m_before{};
    std::stop_source m_stop;
    std::jthread m_waiting;
};

} // namespace flopsmith
