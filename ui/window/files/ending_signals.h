// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>

namespace flopsmith::ui {

/// Runs a function before SIGTERM, SIGINT or SIGHUP ends the program: a log-out, Ctrl+C, a closed
/// terminal. Afterwards the same signal ends the program; a second one ends it at once. A signal
/// that is ignored (nohup) stays ignored.
class EndingSignals : public QObject
{
    Q_OBJECT

public:
    /// At most one may exist.
    explicit EndingSignals(std::function<void()> beforeEnd, QObject* parent = nullptr);

private:
    void received(int descriptor) const;

    std::function<void()> m_beforeEnd;
};

} // namespace flopsmith::ui
