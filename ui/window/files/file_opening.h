// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/share/open_model.h"
#include "ui/window/files/file_saving.h"

#include <QObject>

#include <functional>
#include <map>

namespace flopsmith {
struct SharedDesign;
}

namespace flopsmith::ui {

/// The window's one door for files, share codes and texts. It opens designs in place of this one; files of
/// lessons, exercises and labs go to those who open them.
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

    /// Opens a file and says why it cannot.
    using Opener = std::function<bool(const QString& path)>;

    /// Gives files of a kind that open() finds to somebody else.
    void openBy(NamedKind kind, const Opener& opener) { m_openers[kind] = opener; }

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

    /// Another design is there.
    void designOpened();

    /// A share code wants a page of charts shown, by its object name.
    void pageRequested(const QString& page);

private:
    bool openCode(const QString& code);
    bool openModel(const QString& path);
    void start(const SharedDesign& design);
    void showOpened();
    void showError(const QString& sentence);

    Document& m_document;
    FileSaving& m_saving;
    MessageBar& m_messages;
    QWidget& m_window;
    std::map<NamedKind, Opener> m_openers; ///< what none opens is read as a model
};

} // namespace flopsmith::ui
