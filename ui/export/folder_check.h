// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/export/files/folder_verdict.h"

#include <QObject>
#include <QProcess>
#include <QTimer>

namespace flopsmith::ui {

/// The path of checkingPython(), or empty if it is not there.
QString pythonProgram();

/// Runs the script of an exported folder that compares outputs, in a process of its own.
class FolderCheck : public QObject
{
    Q_OBJECT

public:
    static constexpr int kLongestMilliseconds = 600'000;

    explicit FolderCheck(QObject* parent = nullptr);
    ~FolderCheck() override;

    /// finished() follows, also where no Python is found. Nothing happens while one runs.
    void start(const QString& script, int longestMilliseconds = kLongestMilliseconds);

    /// finished() follows immediately with the verdict that it was stopped.
    void stop();
    bool isRunning() const { return m_process.state() != QProcess::NotRunning; }

Q_SIGNALS:
    void finished(const flopsmith::FolderVerdict& verdict);

private:
    std::string program() const;
    void readAll();
    void take(int exitCode, QProcess::ExitStatus status);
    void giveUp(const QString& reason);
    void report(const FolderVerdict& verdict);

    QProcess m_process;
    QTimer m_limit;
    QString m_output;
    QString m_errors;
};

} // namespace flopsmith::ui
