// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_dialog.h"
#include "ui/export/export_texts.h"

#include <QCheckBox>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

// The export into a folder and its check.

namespace flopsmith::ui {

void ExportDialog::exportOrStop()
{
    switch (m_work) {
    case Work::none: askAndExport(); break;
    case Work::writing:
        showSentence(*m_message, tr("Stopping …"));
        m_writing.stop();
        break;
    case Work::checking: m_check.stop(); break;
    }
}

// A folder that exists cannot be chosen: its name leads into it.
void ExportDialog::askAndExport()
{
    const QString file = m_document.file().path();
    QFileDialog dialog(this,
                       tr("Export to a new folder"),
                       file.isEmpty() ? QDir::homePath() : QFileInfo(file).absolutePath());
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setFileMode(QFileDialog::AnyFile);
    dialog.setOption(QFileDialog::DontConfirmOverwrite); // nothing is overwritten
    dialog.setLabelText(QFileDialog::FileName, tr("New folder:"));
    dialog.selectFile(
        suggestedFolderName(QString::fromStdString(m_document.model().name), m_target));
    if (dialog.exec() == QDialog::Accepted) {
        exportTo(dialog.selectedFiles().front());
    }
}

void ExportDialog::exportTo(const QString& folder)
{
    if (m_work != Work::none || !m_planned) {
        return;
    }
    if (const Status place = checkedPlace(folder, *m_planned); !place) {
        showSentence(*m_message, QString::fromStdString(place.error().message), "error");
        return;
    }
    m_folder = folder;
    m_written = m_document.model();
    showSentence(*m_message, tr("Writing %1 …").arg(QDir::toNativeSeparators(folder)));
    showSentence(*m_checked, QString());
    showWork(Work::writing);
    showAge();
    m_writing.start(
        QFile::encodeName(folder).toStdString(), m_document.file().project(), options());
}

void ExportDialog::take(const Result<ExportedFolder>& folder)
{
    showWork(Work::none);
    if (!folder) {
        m_written.reset();
        const bool isStopped = folder.error().message == "stopped";
        showSentence(*m_message,
                     isStopped ? tr("Stopped; no folder was made.")
                               : QString::fromStdString(folder.error().message),
                     isStopped ? "" : "error");
    } else {
        showSentence(*m_message, writtenText(m_folder, *folder));
        if (!folder->expected) {
            showSentence(*m_checked, tr("Not checked: there is nothing to compare with."));
        } else if (!m_isClosed) {
            showSentence(
                *m_checked,
                tr("Checking it here by %1 …").arg(QString::fromStdString(checkingPython())));
            showWork(Work::checking);
            m_check.start(m_folder + QLatin1Char('/') + m_target.check);
        }
    }
    showAge();
}

void ExportDialog::takeVerdict(const FolderVerdict& verdict)
{
    const char* role = "";
    switch (verdict.kind) {
    case FolderVerdict::Kind::equal: role = "positive"; break;
    case FolderVerdict::Kind::different: role = "error"; break;
    case FolderVerdict::Kind::notRun: break;
    }
    QString text = verdictText(verdict, m_folder + QLatin1Char('/') + m_target.check);
    if (const Status noted = noteVerdict(QFile::encodeName(m_folder).toStdString(), verdict);
        !noted) {
        text += QLatin1Char(' ') + QString::fromStdString(noted.error().message);
        role = "error";
    }
    showSentence(*m_checked, text, role);
    showWork(Work::none);
}

// While something is under way, a dialog that is closed lives on until it has ended.
void ExportDialog::showWork(Work work)
{
    const bool isIdle = work == Work::none;
    m_work = work;
    setAttribute(Qt::WA_DeleteOnClose, isIdle);
    m_busy->setVisible(!isIdle);
    m_export->setText(isIdle ? tr("E&xport …") : tr("St&op"));
    m_export->setAccessibleName(isIdle ? tr("Export into a folder") : tr("Stop the export"));
    m_export->setEnabled(!isIdle || m_planned.has_value());
    const bool isLarge =
        m_planned && static_cast<double>(m_planned->parameters) > m_target.gradientsFrom;
    m_gradients->setEnabled(isLarge && m_weights->isChecked());
    if (isIdle && m_isClosed) {
        deleteLater();
    }
}

void ExportDialog::showAge()
{
    m_age->setVisible(m_written && *m_written != m_document.model());
}

void ExportDialog::showEvent(QShowEvent* event)
{
    m_isClosed = false;
    QDialog::showEvent(event);
}

void ExportDialog::done(int result)
{
    m_isClosed = true;
    m_writing.stop();
    m_check.stop();
    QDialog::done(result);
}

} // namespace flopsmith::ui
