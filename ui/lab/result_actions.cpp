// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/result_actions.h"

#include "ui/lab/checkpoint_writer.h"
#include "ui/lab/lab_charts.h"
#include "ui/lab/lab_session.h"
#include "ui/widgets/message_bar.h"

#include <QAction>
#include <QDir>
#include <QFileDialog>
#include <QMenu>

namespace flopsmith::ui {
namespace {

QString escapedForMenu(QString text)
{
    return text.replace(QLatin1Char('&'), QLatin1String("&&"));
}

} // namespace

ResultActions::ResultActions(LabSession& session,
                             LabCharts& charts,
                             MessageBar& messages,
                             QWidget& page)
    : QObject(&page)
    , m_session(session)
    , m_messages(messages)
    , m_page(page)
    , m_writer(new CheckpointWriter(session, this))
    , m_exports(new QMenu(tr("&Export a chart"), &page))
    , m_checkpoints(new QMenu(tr("Save a &checkpoint"), &page))
    , m_claims(new QAction(tr("Show what was learned beside the c&laims"), this))
{
    m_exports->setObjectName(QStringLiteral("lab.exports"));
    m_exports->setAccessibleName(tr("Export a chart of the lab"));
    m_checkpoints->setObjectName(QStringLiteral("lab.checkpoints"));
    m_checkpoints->setAccessibleName(tr("Save a checkpoint of a model"));
    m_claims->setObjectName(QStringLiteral("lab.claims"));
    m_claims->setToolTip(tr("The claims about FFNs, with what this lab found of them"));
    m_claims->setProperty("disabledReason",
                          tr("No run has finished yet (tuning runs do not count)."));
    fillExports(charts);
    connect(m_checkpoints, &QMenu::aboutToShow, this, &ResultActions::fillCheckpoints);
    connect(m_claims, &QAction::triggered, this, &ResultActions::claimsRequested);
    connect(&session, &LabSession::logChanged, this, &ResultActions::showState);
    connect(m_writer, &CheckpointWriter::saved, this, [this](const QString& sentence) {
        m_messages.show(MessageBar::Kind::note, sentence);
    });
    connect(m_writer, &CheckpointWriter::failed, this, [this](const QString& sentence) {
        m_messages.show(MessageBar::Kind::error, sentence);
    });
    showState();
}

void ResultActions::fillExports(LabCharts& charts)
{
    for (ChartPanel* panel : {&charts.curves(), &charts.bars()}) {
        QMenu* formats = m_exports->addMenu(panel->accessibleName());
        formats->setObjectName(m_exports->objectName() + QLatin1Char('.') + panel->objectName());
        formats->setAccessibleName(panel->accessibleName());
        formats->addActions(panel->menu().actions());
    }
}

void ResultActions::fillCheckpoints()
{
    m_checkpoints->clear();
    for (const Checkpoint& each : savedCheckpoints(m_session)) {
        m_checkpoints->addAction(
            escapedForMenu(each.title), this, [this, each] { askForFolder(each); });
    }
    if (m_checkpoints->isEmpty()) {
        const QString reason = isOfText(m_session.plan().task)
            ? tr("No model is saved yet: train, or pause a run.")
            : tr("Pause a run to save it; trained models are kept only for text and grammar.");
        QAction* none = m_checkpoints->addAction(reason);
        none->setEnabled(false);
        none->setProperty("disabledReason", reason);
    }
}

void ResultActions::askForFolder(const Checkpoint& checkpoint)
{
    const QString folder = QFileDialog::getSaveFileName(&m_page,
                                                        tr("Folder for the checkpoint"),
                                                        QDir::home().filePath(checkpoint.folder),
                                                        tr("Folders (*)"));
    if (!folder.isEmpty()) {
        m_writer->save(checkpoint, folder);
    }
}

void ResultActions::showState()
{
    m_claims->setEnabled(m_session.hasResult());
}

} // namespace flopsmith::ui

#include "moc_result_actions.cpp"
