// SPDX-License-Identifier: MIT
#include "core/protocol/interrupt.h"

namespace flopsmith {
namespace {

constexpr timespec kPause{.tv_sec = 0, .tv_nsec = 20'000'000};

} // namespace

Interrupt::Interrupt()
{
    sigemptyset(&m_signals);
    sigaddset(&m_signals, SIGINT);
    sigaddset(&m_signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &m_signals, &m_before);
    m_waiting = std::jthread([this](const std::stop_token& end) {
        while (!end.stop_requested()) {
            if (sigtimedwait(&m_signals, nullptr, &kPause) > 0) {
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
