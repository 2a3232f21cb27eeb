// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/sample_writer.h"

#include "ui/charts/base/drawing.h"
#include "ui/lab/checkpoint_writer.h"
#include "ui/lab/lab_session.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace flopsmith::ui {
namespace {

constexpr int kCharacters = 120;
constexpr const char* kPrompt = "And ";

QString runText(const LoggedRun& run)
{
    return toQt(run.key.arm)
        + (run.key.seed == 0 ? SampleWriter::tr(", tuning")
                             : SampleWriter::tr(", seed %1").arg(run.key.seed));
}

} // namespace

SampleWriter::SampleWriter(LabSession& session, QObject* parent)
    : QObject(parent)
    , m_session(session)
    , m_program(QCoreApplication::applicationFilePath())
{
    connect(&m_process, &QProcess::finished, this, &SampleWriter::take);
    connect(&session, &LabSession::planChanged, this, &SampleWriter::clear);
}

SampleWriter::~SampleWriter()
{
    m_process.disconnect(this);
    m_process.kill();
    m_process.waitForFinished();
}

void SampleWriter::clear()
{
    m_process.kill();
    m_asked = {};
    m_time = {};
    m_text.clear();
    m_source.clear();
    Q_EMIT written();
}

// A state under way before a finished model, and of these the last.
SampleWriter::Model SampleWriter::newest() const
{
    const std::vector<LoggedRun>& runs = m_session.log().runs;
    Model found;
    QDateTime time;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const QString file = weightsFile(m_session, i);
        const QDateTime saved = QFileInfo(file).lastModified();
        if (saved.isValid() && (!time.isValid() || saved >= time)) {
            time = saved;
            found = {.file = file, .source = runText(runs[i])};
        }
    }
    return found;
}

void SampleWriter::poll()
{
    if (isWriting() || m_session.logPath().isEmpty() || !isOfText(m_session.plan().task)) {
        return;
    }
    const Model model = newest();
    const QDateTime time = QFileInfo(model.file).lastModified();
    if (model.file.isEmpty() || (model.file == m_asked.file && time == m_time)) {
        return;
    }
    m_asked = model;
    m_time = time;
    m_process.start(m_program,
                    {QStringLiteral("lab"),
                     QStringLiteral("sample"),
                     model.file,
                     QStringLiteral("--prompt"),
                     QLatin1String(kPrompt),
                     QStringLiteral("--length"),
                     QString::number(kCharacters)});
}

// A state that was replaced or removed meanwhile says nothing: the next one does. A program that had
// ended before clear() could stop it wrote of another lab.
void SampleWriter::take()
{
    const bool isOutdated = m_asked.file.isEmpty();
    if (isOutdated || m_process.exitStatus() != QProcess::NormalExit || m_process.exitCode() != 0) {
        return;
    }
    m_text = QString::fromUtf8(m_process.readAllStandardOutput()).simplified();
    m_source = m_asked.source;
    Q_EMIT written();
}

} // namespace flopsmith::ui

#include "moc_sample_writer.cpp"
