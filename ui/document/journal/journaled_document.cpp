// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/journal/journaled_document.h"

#include "core/io/journal/journal_entry.h"
#include "core/io/project/project_file.h"
#include "ui/document/document.h"

#include <QDateTime>
#include <QFileInfo>

#include <utility>

namespace flopsmith::ui {
namespace {

QString absolutePath(const QString& path)
{
    return path.isEmpty() ? QString() : QFileInfo(path).absoluteFilePath();
}

} // namespace

JournalEntry journalEntry(const Document& document)
{
    const QUndoStack& steps = document.history().undoStack();
    JournalEntry entry{.at = QDateTime::currentSecsSinceEpoch(),
                       .position = steps.index(),
                       .step = steps.undoText().toStdString(),
                       .file = absolutePath(document.file().path()).toStdString(),
                       .fileHash = document.file().hash(),
                       .project = document.file().project()};
    if (steps.cleanIndex() >= 0) {
        entry.clean = steps.cleanIndex();
    }
    return entry;
}

void restoreFrom(const JournalHistory& history, Document& document)
{
    const JournalEntry& first = history.entries.front();
    const JournalEntry& last = history.last();
    document.setLens(last.project.lens);
    Project start = first.project;
    start.view = last.project.view;
    start.unlocked = last.project.unlocked;
    document.start(start, {QString::fromStdString(last.file), last.fileHash});
    document.history().setUnsaved();
    for (const JournalEntry& entry : history.entries) {
        const QString text = QString::fromStdString(entry.step);
        if (entry.position != first.position) {
            DocumentState after{.scenario = entry.project.scenario,
                                .selection =
                                    document.selection().within(entry.project.scenario.model),
                                .kept = entry.project.kept,
                                .rules = entry.project.rules,
                                .classLocks = entry.project.classLocks,
                                .notes = entry.project.notes};
            if (!after.isAs(document.state())) { // a lens may have been chosen
                document.history().record(text,
                                          std::make_shared<const DocumentState>(std::move(after)));
            }
        }
        if (entry.position == last.clean && entry.position != last.position) {
            document.history().undoStack().setClean();
        }
    }
    Q_EMIT document.fileChanged();
}

} // namespace flopsmith::ui
