// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/files/ending_signals.h"

#include "core/base/check.h"

#include <QSocketNotifier>

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

namespace flopsmith::ui {
namespace {

// The only state of the signal handlers. The descriptors stay open until the program ends.
std::array<int, 2> pipeEnds{-1, -1};

// Writing to a pipe is one of the few operations allowed in a signal handler.
void handle(int signal)
{
    const int before = errno;
    const auto number = static_cast<unsigned char>(signal);
    [[maybe_unused]] const auto written = ::write(pipeEnds[1], &number, 1);
    errno = before;
}

void catchSignal(int signal)
{
    struct sigaction now = {};
    if (::sigaction(signal, nullptr, &now) != 0 || now.sa_handler == SIG_IGN) {
        return;
    }
    struct sigaction ours = {};
    ours.sa_handler = handle;
    ours.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND); // a second signal ends the program
    ::sigaction(signal, &ours, nullptr);
}

} // namespace

EndingSignals::EndingSignals(std::function<void()> beforeEnd, QObject* parent)
    : QObject(parent)
    , m_beforeEnd(std::move(beforeEnd))
{
    FLOPSMITH_CHECK(pipeEnds[0] < 0);
    if (::pipe2(pipeEnds.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
        return; // signals keep their default action
    }
    auto* notifier = new QSocketNotifier(pipeEnds[0], QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, [this] { received(pipeEnds[0]); });
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
        catchSignal(signal);
    }
}

void EndingSignals::received(int descriptor) const
{
    unsigned char signal = 0;
    if (::read(descriptor, &signal, 1) == 1) {
        m_beforeEnd();
        std::signal(signal, SIG_DFL);
        std::raise(signal);
    }
}

} // namespace flopsmith::ui

#include "moc_ending_signals.cpp"
