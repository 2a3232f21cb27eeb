// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QTimer>

#include <functional>

namespace flopsmith::ui {

/// Runs an action at most once per interval however often it is asked for, and never loses the
/// last request. Keeps a drag from repainting more often than the screen does.
class Throttle
{
public:
    /// One frame of a 60 Hz screen.
    static constexpr int kFrame = 16; // milliseconds

    explicit Throttle(std::function<void()> action, int milliseconds = kFrame);

    /// The action runs when control returns to the event loop, or at the end of the interval.
    void request();

    /// Runs a requested action now.
    void flush();

    bool isPending() const { return m_timer.isActive(); }

private:
    void run();

    std::function<void()> m_action;
    int m_interval;
    QTimer m_timer;
    QElapsedTimer m_sinceRun;
};

} // namespace flopsmith::ui
