// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"
#include "ui/document/journal/document_journal.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/files/file_conflicts.h"
#include "ui/window/files/unsaved_work_offers.h"

#include <QObject>

#include <filesystem>
#include <functional>
#include <memory>

QT_BEGIN_NAMESPACE
class QMenu;
class QWidget;
QT_END_NAMESPACE

namespace flopsmith {
struct SharedDesign;
}

namespace flopsmith::ui {

/// The "File" menu and its actions: new, open, recent, save, rename.
class FileActions : public QObject
{
    Q_OBJECT

public:
    FileActions(Document& document, MessageBar& messages, QuestionBars& questions, QWidget& window);

    void fill(QMenu& menu);
    void addQuit(QMenu& menu);

    /// Opens a file or a share code without asking about unsaved changes; on failure shows the
    /// reason and keeps the document.
    bool open(const QString& path);

    /// Whether a file can be read; else the reason is shown. Exercises, lessons and labs say it
    /// themselves when they are opened.
    bool isReadable(const QString& path);

    /// Whether opening a file puts another design in place of this one.
    static bool replacesDesign(const QString& path);

    /// Gives exercises' files that open() finds to somebody else, who returns whether one was opened.
    void openExercisesBy(std::function<bool(const QString& path)> open)
    {
        m_openExercise = std::move(open);
    }

    /// Keeps a journal of unsaved work in this folder from now on (none if it is empty), and tells
    /// other windows which file is open here.
    void keepJournal(const std::filesystem::path& folder);

    /// Offers unsaved work that a crash left in that folder.
    void offerUnsavedWork();

    /// Opens the file that was opened or saved last, or shows a message if there is none.
    void openLast();

    /// These ask about unsaved changes once the other design is read. False where the person
    /// cancelled.
    bool startWith(const Scenario& scenario);
    bool askAndOpen();
    bool openRecent(const QString& path);

    /// Opens the text of a project, of a config.json or a share code, as open() does with a file. An
    /// error says why the text is none of them, and then nothing is asked.
    Result<bool> openText(const QString& text);

    /// Whether the document may be closed: it is unmodified, was saved now, or is discarded.
    bool mayLeave();

    /// Call when the window closes: removes the journal.
    void leave();

    /// Call when a signal ends the program: writes unsaved work to the journal.
    void flushJournal();

Q_SIGNALS:
    void startPageRequested();

    /// A file that is a lesson is to be played; the document stays as it is.
    void lessonWanted(const QString& path);

    /// A lab, or the log of one, is to be shown; the document stays as it is.
    void labWanted(const QString& path);

    /// Another design is there.
    void designOpened();

    /// The document itself is to be saved or left: what shows another design in it gives it back.
    void documentNeeded();

    /// A share code wants a page of charts shown, by its object name.
    void pageWanted(const QString& page);

private:
    bool openCode(const QString& code);
    bool openExercise(const QString& path);
    void start(const SharedDesign& design);
    void showOpened();
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
    std::function<bool(const QString& path)> m_openExercise; ///< empty until openExercisesBy()
    std::filesystem::path m_journalFolder;
    std::unique_ptr<DocumentJournal> m_journal; ///< nullptr until keepJournal()
    std::unique_ptr<UnsavedWorkOffers> m_offers; ///< likewise
};

} // namespace flopsmith::ui
