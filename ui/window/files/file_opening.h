// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/files/file_saving.h"

#include <QObject>

#include <functional>

namespace flopsmith {
struct SharedDesign;
}

namespace flopsmith::ui {

/// Opens designs in place of this one: files, exercises, share codes and texts. Files of lessons and
/// labs are passed on.
class FileOpening : public QObject
{
    Q_OBJECT

public:
    FileOpening(Document& document, FileSaving& saving, MessageBar& messages, QWidget& window);

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

Q_SIGNALS:
    void startPageRequested();

    /// A file that is a lesson is to be played; the document stays as it is.
    void lessonRequested(const QString& path);

    /// A lab, or the log of one, is to be shown; the document stays as it is.
    void labRequested(const QString& path);

    /// Another design is there.
    void designOpened();

    /// A share code wants a page of charts shown, by its object name.
    void pageRequested(const QString& page);

private:
    bool openCode(const QString& code);
    bool openExercise(const QString& path);
    void start(const SharedDesign& design);
    void showOpened();
    void showError(const QString& sentence);

    Document& m_document;
    FileSaving& m_saving;
    MessageBar& m_messages;
    QWidget& m_window;
    std::function<bool(const QString& path)> m_openExercise; ///< empty until openExercisesBy()
};

} // namespace flopsmith::ui
