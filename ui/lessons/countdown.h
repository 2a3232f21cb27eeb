// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QTimer>

namespace flopsmith::ui {

/// Two minutes to discuss, counted down; empty while it does not run.
class Countdown : public QLabel
{
    Q_OBJECT

public:
    static constexpr int kSeconds = 120;

    explicit Countdown(QWidget* parent = nullptr);

    /// Starts it, or stops it while it runs.
    void toggle();
    void stop();
    bool isRunning() const { return m_tick.isActive(); }
    int secondsLeft() const { return m_left; }

    /// The text when no time is left.
    void setEnd(const QString& text) { m_end = text; }

    /// One second has passed.
    void tick();

private:
    void showTime();

    QTimer m_tick;
    QString m_end = tr("Time is up");
    int m_left = 0;
};

} // namespace flopsmith::ui
