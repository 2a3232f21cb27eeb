// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/document/journal/document_journal.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/files/file_conflicts.h"
#include "ui/window/files/unsaved_work_offers.h"

#include <QObject>

#include <filesystem>
#include <memory>

QT_BEGIN_NAMESPACE
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// Saves the document, keeps a journal of what is not saved, and asks before it is left.
class FileSaving : public QObject
{
    Q_OBJECT

public:
    FileSaving(Document& document, MessageBar& messages, QuestionBars& questions, QWidget& window);

    bool save();
    bool askAndSave();

    /// Whether the document may be closed: it is unmodified, was saved now, or is discarded.
    bool mayLeave();

    /// Keeps a journal of unsaved work in this folder from now on (none if it is empty), and tells
    /// other windows which file is open here.
    void keepJournal(const std::filesystem::path& folder);

    /// Offers unsaved work that a crash left in that folder.
    void offerUnsavedWork();

    /// Call when the window closes: removes the journal.
    void leave();

    /// Call when a signal ends the program: writes unsaved work to the journal.
    void flushJournal();

    /// Shows what a reader should know of the file, and whether another window has it open.
    void tell(QStringList notes);

Q_SIGNALS:
    /// The document itself is to be saved or left: what shows another design in it gives it back.
    void documentNeeded();

private:
    bool saveTo(const QString& path);
    void connectConflicts();
    bool eventFilter(QObject* watched, QEvent* event) override;

    Document& m_document;
    MessageBar& m_messages;
    QuestionBars& m_questions;
    QWidget& m_window;
    FileConflicts m_conflicts;
    std::filesystem::path m_journalFolder;
    std::unique_ptr<DocumentJournal> m_journal; ///< nullptr until keepJournal()
    std::unique_ptr<UnsavedWorkOffers> m_offers; ///< likewise
};

} // namespace flopsmith::ui
