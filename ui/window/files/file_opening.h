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

    /// Whether a file can be read; else the reason is shown. Of a kind without a reader that is known
    /// only when it is opened.
    bool isReadable(const QString& path);

    /// Whether opening a file puts another design in place of this one.
    static bool replacesDesign(const QString& path);

    /// Opens a file and says why it cannot.
    using Opener = std::function<bool(const QString& path)>;

    /// Reads a file that it does not open; the Error says what is wrong with it.
    using Reader = std::function<Status(const QString& path)>;

    /// Gives files of a kind that open() finds to somebody else. Those that put another design in
    /// place of this one need a reader, so that no question is asked in vain.
    void openBy(NamedKind kind, const Opener& opener, const Reader& reader = {});

    /// Opens the file that was opened or saved last, or shows a message if there is none.
    void openLast();

    /// These ask about unsaved changes once the other design is read. False where the person
    /// cancelled.
    bool startWith(const Scenario& scenario);
    bool askAndOpen();
    bool openRecent(const QString& path);

    /// Opens a pasted text: a project, a config.json, a share code, the path or the address of a file,
    /// or the name of a preset. An error says of the source, "the clipboard", what its text is
    /// instead, and then nothing is asked.
    Result<bool> openText(const QString& text, const QString& source = tr("the clipboard"));

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
    void start(const Loaded& loaded);
    Status checked(const QString& path) const;
    void showOpened();
    void showError(const QString& sentence);

    Document& m_document;
    FileSaving& m_saving;
    MessageBar& m_messages;
    QWidget& m_window;
    std::map<NamedKind, Opener> m_openers; ///< what none opens is read as a model
    std::map<NamedKind, Reader> m_readers;
};

} // namespace flopsmith::ui
