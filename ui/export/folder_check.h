// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QProcess>
#include <QTimer>

namespace flopsmith::ui {

/// What came of the check of an exported folder.
struct FolderVerdict
{
    enum class Kind {
        equal,
        different,
        notRun, ///< nothing was compared
    };

    Kind kind = Kind::notRun;
    QString python; ///< the program that ran it, or would have
    QString text; ///< the lines that the script printed, or why nothing was compared

    bool operator==(const FolderVerdict&) const = default;
};

/// The verdict of a script that ended: equal or different only if it says so itself.
FolderVerdict verdictOf(const QString& python,
                        int exitCode,
                        const QString& output,
                        const QString& errors);

/// The Python that FLOPSMITH_PYTHON names, else python3: its path, or empty if it is not there.
QString pythonProgram();

/// What pythonProgram() looks for.
QString pythonName();

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

    /// finished() follows at once with a verdict that says it was stopped.
    void stop();
    bool isRunning() const { return m_process.state() != QProcess::NotRunning; }

Q_SIGNALS:
    void finished(const flopsmith::ui::FolderVerdict& verdict);

private:
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
