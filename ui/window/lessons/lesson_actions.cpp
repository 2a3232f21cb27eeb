// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lessons/lesson_actions.h"

#include "ui/document/recent_files.h"
#include "ui/lessons/base/lesson_file.h"
#include "ui/lessons/base/own_lessons.h"
#include "ui/lessons/editor/lesson_editor.h"
#include "ui/lessons/lesson_cards.h"
#include "ui/widgets/open_path.h"
#include "ui/window/files/file_opening.h"
#include "ui/window/lecture/lecture.h"
#include "ui/window/lessons/window_recording.h"

#include <QAction>
#include <QFileInfo>
#include <QMenu>
#include <QTimer>

namespace flopsmith::ui {

LessonActions::LessonActions(FileOpening& files,
                             Lecture& lecture,
                             WindowRecording& recording,
                             MessageBar& messages,
                             QWidget& window)
    : QObject(&window)
    , m_lecture(lecture)
    , m_recording(recording)
    , m_messages(messages)
    , m_window(window)
{
    files.openBy(NamedKind::lesson, [this](const QString& path) {
        QTimer::singleShot(
            0, this, [this, path] { play(path); }); // once the window itself is shown
        return true;
    });
}

void LessonActions::fill(QMenu& menu)
{
    const auto add = [this, &menu](const char* name, const QString& text, auto act) {
        QAction* action = menu.addAction(text);
        action->setObjectName(QStringLiteral("file.") + QLatin1String(name));
        connect(action, &QAction::triggered, this, act);
        m_window.addAction(action);
    };
    add("openLesson", tr("&Open lesson …"), [this] { askAndPlay(); });
    add("newLesson", tr("Ne&w lesson …"), [this] { writeNew(); });
    add("editLesson", tr("E&dit lesson …"), [this] { edit({}); });
}

void LessonActions::showList()
{
    auto* cards = new LessonCards(m_window);
    connect(cards, &LessonCards::chosen, this, [this](const Lesson& lesson) {
        m_lecture.startLesson(lesson);
    });
    connect(cards, &LessonCards::fileChosen, this, &LessonActions::play);
    connect(cards, &LessonCards::openRequested, this, &LessonActions::askAndPlay);
    connect(cards, &LessonCards::newRequested, this, &LessonActions::writeNew);
    connect(cards, &LessonCards::editRequested, this, &LessonActions::edit);
    cards->open();
}

bool LessonActions::play(const QString& path)
{
    if (!QFileInfo::exists(path)) {
        removeRecentFile(path);
    }
    if (!m_lecture.startLessonFile(path)) {
        return false;
    }
    m_messages.clear();
    addRecentLesson(path);
    addRecentFile(path);
    return true;
}

QString LessonActions::askForFile(const QString& title)
{
    return askOpenPath(m_window,
                       title,
                       ownLessonsFolder(),
                       tr("Lessons (*%1);;All files (*)").arg(lessonSuffix()));
}

void LessonActions::askAndPlay()
{
    if (const QString path = askForFile(tr("Open a lesson")); !path.isEmpty()) {
        play(path);
    }
}

LessonEditor& LessonActions::shownEditor()
{
    if (m_editor == nullptr) {
        m_editor = new LessonEditor(m_recording, &m_window);
        connect(m_editor, &LessonEditor::playRequested, this, [this](const LessonPlay& play) {
            m_lecture.startPlay(play);
        });
        connect(m_editor, &LessonEditor::saved, this, [](const QString& path) {
            addRecentLesson(path);
            addRecentFile(path);
        });
    }
    m_editor->setVisible(true);
    m_editor->raise();
    m_editor->activateWindow();
    return *m_editor;
}

void LessonActions::writeNew()
{
    shownEditor().startNew();
}

void LessonActions::edit(const QString& path)
{
    const QString file = path.isEmpty() ? askForFile(tr("Edit a lesson")) : path;
    if (!file.isEmpty() && shownEditor().open(file)) {
        addRecentLesson(file);
    }
}

bool LessonActions::mayLeave()
{
    if (m_editor != nullptr && m_editor->isVisible() && !m_editor->close()) {
        return false;
    }
    m_recording.giveBack();
    return true;
}

} // namespace flopsmith::ui

#include "moc_lesson_actions.cpp"
