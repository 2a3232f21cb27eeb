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
class QMenu;
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// New, open, recent, save, rename: the "File" menu and what stands behind it.
class FileActions : public QObject
{
    Q_OBJECT

public:
    FileActions(Document& document, MessageBar& messages, QuestionBars& questions, QWidget& window);

    void fill(QMenu& menu);
    void addQuit(QMenu& menu);

    /// Opens without asking about changes; a failure is shown and leaves the document.
    bool open(const QString& path);

    /// Keeps a journal of unsaved work in this folder from now on (an empty one: nowhere), and
    /// tells other windows which file is open here.
    void keepJournal(const std::filesystem::path& folder);

    /// Asks what is to become of unsaved work that a crash left there.
    void offerUnsavedWork();

    /// The file opened or saved last, with a message if there is none.
    void openLast();

    /// Whether the document may go: it is unmodified, was saved now, or is given up.
    bool mayLeave();

    /// The window closes: nothing is left of its journal.
    void leave();

    /// The program is about to end otherwise: what is unsaved reaches the disk.
    void flushJournal();

private:
    void startNew();
    void askAndOpen();
    void openRecent(const QString& path);
    bool save();
    bool askAndSave();
    bool saveTo(const QString& path);
    void rename();
    void fillRecent(QMenu& menu);
    void addOpenLast(QMenu& menu);
    void told(QStringList notes);
    void showError(const QString& sentence);
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
