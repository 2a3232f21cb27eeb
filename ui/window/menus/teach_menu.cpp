// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/menus/teach_menu.h"

#include "ui/chart_pages/chart_pages.h"
#include "ui/lessons/base/lesson_library.h"
#include "ui/window/class_locks/class_preparation.h"
#include "ui/window/exercise/exercises.h"
#include "ui/window/lab/lab_place.h"
#include "ui/window/lecture/lecture.h"
#include "ui/window/lessons/lesson_actions.h"
#include "ui/window/panels/design_panels.h"

#include <QAction>
#include <QMainWindow>
#include <QMenu>

namespace flopsmith::ui {

TeachMenu::TeachMenu(QMenu& menu, const WindowParts& parts)
    : QObject(&menu)
    , m_parts(parts)
{
    addLessons(menu);
    parts.lessons->fill(menu);
    menu.addSeparator();
    parts.exercises->addTo(menu);
    (new ClassPreparation(
         *parts.document, *parts.questions, parts.panels->charts(), *parts.bar, *parts.window))
        ->addTo(menu);
    menu.addSeparator();
    addLecture(menu);
}

void TeachMenu::addLessons(QMenu& menu)
{
    QAction* all = menu.addAction(tr("&Lessons…"), m_parts.lessons, &LessonActions::showList);
    all->setObjectName(QStringLiteral("help.lessons"));
    all->setShortcut(QKeySequence(tr("Ctrl+Shift+T")));
    m_parts.window->addAction(all);
    QMenu* below = menu.addMenu(tr("&Play a lesson"));
    below->setObjectName(QStringLiteral("help.lessons.menu"));
    below->setAccessibleName(tr("Play a lesson"));
    for (const LibraryLesson& entry : lessonLibrary()) {
        const Result<Lesson>& lesson = entry.lesson;
        QString title = lesson ? lessonTitle(*lesson, usualLanguage()) : entry.name;
        QAction* action = below->addAction(
            tr("Lesson: %1").arg(title.replace(QLatin1Char('&'), QLatin1String("&&"))));
        action->setObjectName(QStringLiteral("help.lesson.") + entry.name);
        action->setEnabled(lesson.ok());
        if (lesson) {
            action->setToolTip(lessonSummary(*lesson, usualLanguage()));
            connect(action, &QAction::triggered, this, [this, &lesson] {
                m_parts.lecture->startLesson(*lesson);
            });
        } else {
            action->setProperty("disabledReason", QString::fromStdString(lesson.error().message));
        }
    }
}

void TeachMenu::addLecture(QMenu& menu)
{
    QAction* lecture = menu.addAction(tr("Lec&ture mode"));
    lecture->setObjectName(QStringLiteral("view.lecture"));
    lecture->setShortcut(QKeySequence(tr("F5")));
    lecture->setToolTip(tr("One chart large, with the keys of a presenter; Esc leaves it and shows "
                           "the design as it is now"));
    m_parts.window->addAction(lecture);
    connect(lecture, &QAction::triggered, this, [this] {
        if (!m_parts.labPlace->togglePresented()) {
            m_parts.lecture->start();
        }
    });
}

} // namespace flopsmith::ui

#include "moc_teach_menu.cpp"
