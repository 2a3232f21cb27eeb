// SPDX-License-Identifier: MIT
#include "core/protocol/interrupt.h"

namespace flopsmith {
namespace {

constexpr timespec kPause{.tv_sec = 0, .tv_nsec = 20'000'000};

bool isIgnored(int signal)
{
    struct sigaction action
    {};
    sigaction(signal, nullptr, &action);
    return action.sa_handler == SIG_IGN; // NOLINT: a union by POSIX
}

} // namespace

Interrupt::Interrupt()
{
    sigemptyset(&m_signals);
    for (const int signal : {SIGINT, SIGTERM}) {
        if (!isIgnored(signal)) {
            sigaddset(&m_signals, signal);
        }
    }
    pthread_sigmask(SIG_BLOCK, &m_signals, &m_before);
    m_waiting = std::jthread([this](const std::stop_token& end) {
        while (!end.stop_requested()) {
            if (const int signal = sigtimedwait(&m_signals, nullptr, &kPause); signal > 0) {
                m_signal = signal;
                m_stop.request_stop();
            }
        }
    });
}

Interrupt::~Interrupt()
{
    m_waiting = {}; // ends and joins
    pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
}

} // namespace flopsmith
