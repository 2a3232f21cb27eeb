// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/throttle.h"

#include <algorithm>
#include <utility>

namespace flopsmith::ui {

Throttle::Throttle(std::function<void()> action, int milliseconds)
    : m_action(std::move(action))
    , m_interval(milliseconds)
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] { run(); });
}

void Throttle::request()
{
    if (m_timer.isActive()) {
        return;
    }
    const qint64 passed = m_sinceRun.isValid() ? m_sinceRun.elapsed() : m_interval;
    m_timer.start(static_cast<int>(std::max<qint64>(0, m_interval - passed)));
}

void Throttle::flush()
{
    if (m_timer.isActive()) {
        m_timer.stop();
        run();
    }
}

void Throttle::run()
{
    m_sinceRun.start();
    m_action();
}

} // namespace flopsmith::ui
