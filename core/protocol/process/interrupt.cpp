// SPDX-License-Identifier: MIT
#include "core/protocol/process/interrupt.h"

#include "core/base/threads.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>

namespace flopsmith {
namespace {

bool isIgnored(int signal)
{
    struct sigaction action
    {};
    sigaction(signal, nullptr, &action);
    return action.sa_handler == SIG_IGN; // NOLINT: a union by POSIX
}

} // namespace

Interrupt::Interrupt()
    : m_end(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK))
{
    sigemptyset(&m_signals);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        if (!isIgnored(signal)) {
            sigaddset(&m_signals, signal);
        }
    }
    pthread_sigmask(SIG_BLOCK, &m_signals, &m_before);
    if (!startThread(m_waiting, [this] { awaitSignals(); })) {
        pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }
}

void Interrupt::awaitSignals()
{
    const FileHandle arrived(signalfd(-1, &m_signals, SFD_CLOEXEC));
    std::array<pollfd, 2> files{
        {{arrived.descriptor(), POLLIN, 0}, {m_end.descriptor(), POLLIN, 0}}};
    while (files[1].revents == 0) { // no look at a clock in between: others measure
        poll(files.data(), files.size(), -1);
        signalfd_siginfo signal{};
        if (files[0].revents != 0
            && read(arrived.descriptor(), &signal, sizeof(signal)) == sizeof(signal)) {
            m_signal = static_cast<int>(signal.ssi_signo);
            m_stop.request_stop();
        }
    }
}

Interrupt::~Interrupt()
{
    eventfd_write(m_end.descriptor(), 1);
    m_waiting.clear(); // joins
    pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
}

} // namespace flopsmith
