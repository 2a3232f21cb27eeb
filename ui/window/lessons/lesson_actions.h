// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teach/format/lesson.h"

#include <QObject>
#include <QString>

QT_BEGIN_NAMESPACE
class QMenu;
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

class FileOpening;
class Lecture;
class LessonEditor;
class MessageBar;
class WindowRecording;

/// Lessons of one's own: opening, writing and recording them, and the sheet that lists all.
class LessonActions : public QObject
{
    Q_OBJECT

public:
    LessonActions(FileOpening& files,
                  Lecture& lecture,
                  WindowRecording& recording,
                  MessageBar& messages,
                  QWidget& window);

    /// Adds "Open lesson…", "New lesson…" and "Edit lesson…".
    void fill(QMenu& menu);

    /// The sheet with the lessons of the program and one's own.
    void showList();

    /// Plays the lesson in a file; one that cannot be played says why in the window's message bar.
    bool play(const QString& path);

    /// Open the editor, or bring it to the front. With an empty path the file is asked for.
    void writeNew();
    void edit(const QString& path);

    /// Null until it is first opened.
    LessonEditor* editor() { return m_editor; }
    WindowRecording& recording() { return m_recording; }

    /// Whether the window may close: the lesson in the editor is saved or discarded.
    bool mayLeave();

private:
    LessonEditor& shownEditor();
    QString askForFile(const QString& title);
    void askAndPlay();

    Lecture& m_lecture;
    WindowRecording& m_recording;
    MessageBar& m_messages;
    QWidget& m_window;
    LessonEditor* m_editor = nullptr;
};

} // namespace flopsmith::ui
