// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/countdown.h"

namespace flopsmith::ui {

Countdown::Countdown(QWidget* parent)
    : QLabel(parent)
{
    setObjectName(QStringLiteral("lesson.countdown"));
    setAccessibleName(tr("Time left"));
    setTextFormat(Qt::PlainText);
    connect(&m_tick, &QTimer::timeout, this, &Countdown::tick);
}

void Countdown::toggle()
{
    if (isRunning()) {
        stop();
        return;
    }
    m_left = kSeconds;
    m_tick.start(1000);
    showTime();
}

void Countdown::stop()
{
    m_tick.stop();
    clear();
}

void Countdown::tick()
{
    --m_left;
    if (m_left > 0) {
        showTime();
    } else {
        m_tick.stop();
        setText(m_end);
    }
}

void Countdown::showTime()
{
    setText(QStringLiteral("%1:%2").arg(m_left / 60).arg(m_left % 60, 2, 10, QLatin1Char('0')));
}

} // namespace flopsmith::ui

#include "moc_countdown.cpp"
