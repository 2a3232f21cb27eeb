// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/folder_check.h"

#include <QProcessEnvironment>
#include <QSignalBlocker>
#include <QStandardPaths>

namespace flopsmith::ui {
namespace {

constexpr qsizetype kLongestOutput = 65'536; ///< characters that are kept of each channel

// Adds what a process wrote; of too much the end is kept.
void keepEnd(QString& text, const QByteArray& more)
{
    text += QString::fromUtf8(more);
    if (text.size() > kLongestOutput) {
        text.remove(0, text.size() - kLongestOutput);
    }
}

QString lastLine(const QString& text)
{
    return text.trimmed().section(QLatin1Char('\n'), -1).trimmed();
}

// The folder stays as it was written, and a Δ is printed whatever the locale.
QProcessEnvironment checkEnvironment()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PYTHONDONTWRITEBYTECODE"), QStringLiteral("1"));
    environment.insert(QStringLiteral("PYTHONIOENCODING"), QStringLiteral("utf-8"));
    return environment;
}

QString whyNothingWasCompared(int exitCode, const QString& errors)
{
    if (errors.contains(QLatin1String("No module named 'torch'"))) {
        return FolderCheck::tr("it has no torch");
    }
    const QString line = lastLine(errors);
    return line.isEmpty() ? FolderCheck::tr("the script ended with code %1").arg(exitCode)
                          : FolderCheck::tr("the script ended with: %1").arg(line);
}

} // namespace

FolderVerdict verdictOf(const QString& python,
                        int exitCode,
                        const QString& output,
                        const QString& errors)
{
    using Kind = FolderVerdict::Kind;
    const bool isDifferent = output.contains(QLatin1String("NOT EQUAL"));
    if (exitCode == 0 && !isDifferent && output.contains(QLatin1String(": equal"))) {
        return {Kind::equal, python, output.trimmed()};
    }
    if (exitCode == 1 && isDifferent) {
        return {Kind::different, python, output.trimmed()};
    }
    return {Kind::notRun, python, whyNothingWasCompared(exitCode, errors)};
}

QString pythonName()
{
    return qEnvironmentVariable("FLOPSMITH_PYTHON", QStringLiteral("python3"));
}

QString pythonProgram()
{
    return QStandardPaths::findExecutable(pythonName());
}

FolderCheck::FolderCheck(QObject* parent)
    : QObject(parent)
{
    m_limit.setSingleShot(true);
    connect(&m_process, &QProcess::readyReadStandardOutput, this, &FolderCheck::readAll);
    connect(&m_process, &QProcess::readyReadStandardError, this, &FolderCheck::readAll);
    connect(&m_process, &QProcess::finished, this, &FolderCheck::take);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) { // else finished() follows
            giveUp(m_process.errorString());
        }
    });
    connect(&m_limit, &QTimer::timeout, this, [this] {
        giveUp(tr("it did not end within %1 s").arg(m_limit.interval() / 1000));
    });
}

FolderCheck::~FolderCheck()
{
    m_process.disconnect(this);
    m_process.kill();
    m_process.waitForFinished();
}

void FolderCheck::start(const QString& script, int longestMilliseconds)
{
    if (isRunning()) {
        return;
    }
    const QString python = pythonProgram();
    m_process.setProgram(python);
    m_process.setArguments({script});
    if (python.isEmpty()) {
        giveUp(tr("there is no %1").arg(pythonName()));
        return;
    }
    m_output.clear();
    m_errors.clear();
    m_process.setProcessEnvironment(checkEnvironment());
    m_limit.start(longestMilliseconds);
    m_process.start(QIODevice::ReadOnly);
}

void FolderCheck::stop()
{
    if (isRunning()) {
        giveUp(tr("it was stopped"));
    }
}

void FolderCheck::readAll()
{
    keepEnd(m_output, m_process.readAllStandardOutput());
    keepEnd(m_errors, m_process.readAllStandardError());
}

void FolderCheck::take(int exitCode, QProcess::ExitStatus status)
{
    readAll();
    report(status == QProcess::NormalExit
               ? verdictOf(m_process.program(), exitCode, m_output, m_errors)
               : FolderVerdict{FolderVerdict::Kind::notRun,
                               m_process.program(),
                               tr("the system ended the script")});
}

// Ends a process that still runs without waiting for what it says.
void FolderCheck::giveUp(const QString& reason)
{
    if (isRunning()) {
        const QSignalBlocker blocker(m_process);
        m_process.kill();
        m_process.waitForFinished();
    }
    report({FolderVerdict::Kind::notRun, m_process.program(), reason});
}

void FolderCheck::report(const FolderVerdict& verdict)
{
    m_limit.stop();
    Q_EMIT finished(verdict);
}

} // namespace flopsmith::ui
