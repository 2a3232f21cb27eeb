// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>

namespace flopsmith::ui {

/// Lets something be done before SIGTERM, SIGINT or SIGHUP ends the program: a log-out, Ctrl+C, a
/// closed terminal. The program ends by the same signal afterwards, or at once by a second one. A
/// signal that is ignored (nohup) stays so.
class EndingSignals : public QObject
{
    Q_OBJECT

public:
    /// One per program.
    explicit EndingSignals(std::function<void()> beforeEnd, QObject* parent = nullptr);

private:
    void received(int descriptor) const;

    std::function<void()> m_beforeEnd;
};

} // namespace flopsmith::ui
