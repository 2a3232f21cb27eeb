// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/folder_check.h"

#include <QProcessEnvironment>
#include <QSignalBlocker>
#include <QStandardPaths>

namespace flopsmith::ui {
namespace {

constexpr qsizetype kLongestOutput = 65'536; ///< characters that are kept of each channel

// Appends a process's output; only the end is kept if it is too long.
void keepEnd(QString& text, const QByteArray& more)
{
    text += QString::fromUtf8(more);
    if (text.size() > kLongestOutput) {
        text.remove(0, text.size() - kLongestOutput);
    }
}

QProcessEnvironment checkEnvironment()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const std::string& setting : checkingEnvironment()) {
        const std::size_t equals = setting.find('=');
        environment.insert(QString::fromStdString(setting.substr(0, equals)),
                           QString::fromStdString(setting.substr(equals + 1)));
    }
    return environment;
}

} // namespace

QString pythonProgram()
{
    return QStandardPaths::findExecutable(QString::fromStdString(checkingPython()));
}

FolderCheck::FolderCheck(QObject* parent)
    : QObject(parent)
{
    m_limit.setSingleShot(true);
    connect(&m_process, &QProcess::readyReadStandardOutput, this, &FolderCheck::readAll);
    connect(&m_process, &QProcess::readyReadStandardError, this, &FolderCheck::readAll);
    connect(&m_process, &QProcess::finished, this, &FolderCheck::take);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) { // otherwise finished() follows
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
        giveUp(tr("there is no %1").arg(QString::fromStdString(checkingPython())));
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

std::string FolderCheck::program() const
{
    return m_process.program().toStdString();
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
               ? verdictOf(program(), exitCode, m_output.toStdString(), m_errors.toStdString())
               : FolderVerdict{FolderVerdict::Kind::notRun,
                               program(),
                               tr("the system ended the script").toStdString()});
}

// Ends a running process without waiting for its output.
void FolderCheck::giveUp(const QString& reason)
{
    if (isRunning()) {
        const QSignalBlocker blocker(m_process);
        m_process.kill();
        m_process.waitForFinished();
    }
    report({FolderVerdict::Kind::notRun, program(), reason.toStdString()});
}

void FolderCheck::report(const FolderVerdict& verdict)
{
    m_limit.stop();
    Q_EMIT finished(verdict);
}

} // namespace flopsmith::ui

#include "moc_folder_check.cpp"
