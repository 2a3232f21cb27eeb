// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/checkpoint_writer.h"

#include "core/base/text.h"
#include "core/lab/results/verdict.h"
#include "ui/charts/base/drawing.h"
#include "ui/lab/lab_session.h"
#include "ui/lab/rate_picker.h"

#include <QCoreApplication>
#include <QFile>
#include <QRegularExpression>

namespace flopsmith::ui {
namespace {

// A name that every file system takes.
QString folderName(const RunKey& key)
{
    QString name = key.seed == 0 ? QStringLiteral("%1-tuning").arg(toQt(key.arm))
                                 : QStringLiteral("%1-seed-%2").arg(toQt(key.arm)).arg(key.seed);
    for (QChar& each : name) {
        const bool isPlain = each.isLetterOrNumber() || each == QLatin1Char('-')
            || each == QLatin1Char('_') || each == QLatin1Char('.');
        each = isPlain ? each : QLatin1Char('_');
    }
    return name;
}

QString checkpointTitle(const LoggedRun& run)
{
    const QString arm = toQt(run.key.arm);
    const QString which = run.key.seed == 0
        ? CheckpointWriter::tr("%1, tuning at %2").arg(arm, learningRateText(run.key.rate))
        : CheckpointWriter::tr("%1, seed %2").arg(arm).arg(run.key.seed);
    if (run.end == RunEnd::open) {
        return CheckpointWriter::tr("%1, under way").arg(which);
    }
    return run.points.empty() ? which
                              : CheckpointWriter::tr("%1, loss %2")
                                    .arg(which, toQt(fixedText(run.points.back().loss, 2)));
}

} // namespace

bool isOfText(const TaskSpec& task)
{
    return std::holds_alternative<TextTask>(task) || std::holds_alternative<GrammarTask>(task);
}

QString weightsFile(const LabSession& session, std::size_t run)
{
    const std::string log = QFile::encodeName(session.logPath()).toStdString();
    const LoggedRun& logged = session.log().runs[run];
    const std::string path =
        logged.end == RunEnd::open ? statePath(log, run) : modelPath(log, logged.key);
    return QFile::decodeName(QByteArray::fromStdString(path));
}

std::vector<Checkpoint> savedCheckpoints(const LabSession& session)
{
    std::vector<Checkpoint> underWay;
    std::vector<Checkpoint> trained;
    if (session.logPath().isEmpty()) {
        return underWay;
    }
    const std::vector<LoggedRun>& runs = session.log().runs;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const bool isOpen = runs[i].end == RunEnd::open;
        const QString file = weightsFile(session, i);
        if (QFile::exists(file)) {
            (isOpen ? underWay : trained)
                .push_back({.title = checkpointTitle(runs[i]),
                            .file = file,
                            .folder = folderName(runs[i].key)});
        }
    }
    underWay.insert(underWay.end(), trained.begin(), trained.end());
    return underWay;
}

CheckpointWriter::CheckpointWriter(LabSession& session, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_program(QCoreApplication::applicationFilePath())
{
    connect(&m_process, &QProcess::finished, this, &CheckpointWriter::take);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            Q_EMIT failed(tr("%1 cannot be started").arg(m_program));
        }
    });
}

CheckpointWriter::~CheckpointWriter()
{
    m_process.disconnect(this);
    m_process.kill();
    m_process.waitForFinished();
}

void CheckpointWriter::save(const Checkpoint& checkpoint, const QString& folder)
{
    if (isWriting()) {
        Q_EMIT failed(tr("Another checkpoint is being saved; try again in a moment."));
        return;
    }
    QStringList arguments{QStringLiteral("lab"),
                          QStringLiteral("export"),
                          checkpoint.file,
                          QStringLiteral("-o"),
                          folder};
    if (!isOfText(m_session.plan().task)) {
        arguments << QStringLiteral("--train");
    }
    m_process.start(m_program, arguments);
}

void CheckpointWriter::take()
{
    const QString output = QString::fromUtf8(m_process.readAllStandardOutput()).trimmed();
    QString problem = QString::fromUtf8(m_process.readAllStandardError()).trimmed();
    problem.remove(QRegularExpression(QStringLiteral("^flopsmith: ")));
    if (m_process.exitStatus() == QProcess::NormalExit && m_process.exitCode() == 0) {
        Q_EMIT saved(output);
    } else {
        Q_EMIT failed(problem.isEmpty() ? tr("The checkpoint could not be saved.") : problem);
    }
}

} // namespace flopsmith::ui

#include "moc_checkpoint_writer.cpp"
