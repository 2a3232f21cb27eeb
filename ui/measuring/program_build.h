// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include <filesystem>

namespace flopsmith::ui {

/// Waits for a program that is still being built (core/protocol/process/being_built.h): the window
/// opens before the programs that measure.
class ProgramBuild : public QObject
{
    Q_OBJECT

public:
    explicit ProgramBuild(std::filesystem::path program, QObject* parent = nullptr);

    /// Begins to wait, if the program is being built.
    void watch();

Q_SIGNALS:
    /// The build has ended: the program exists, or its build failed.
    void ended();

private:
    void poll();

    std::filesystem::path m_program;
    QTimer m_timer;
};

} // namespace flopsmith::ui
