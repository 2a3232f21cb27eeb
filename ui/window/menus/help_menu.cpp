// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/menus/help_menu.h"

#include "ui/chart_pages/chart_pages.h"
#include "ui/lessons/base/lesson_library.h"
#include "ui/widgets/explain/explainer.h"
#include "ui/widgets/layout/standard_keys.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/class_locks/class_preparation.h"
#include "ui/window/exercise/exercises.h"
#include "ui/window/help/about.h"
#include "ui/window/help/keys_sheet.h"
#include "ui/window/lecture/lecture.h"
#include "ui/window/lessons/lesson_actions.h"
#include "ui/window/menus/shown_dialog.h"
#include "ui/window/panels/design_panels.h"

#include <QApplication>
#include <QMainWindow>
#include <QMenu>

namespace flopsmith::ui {

HelpMenu::HelpMenu(QMenu& menu, const WindowParts& parts)
    : QObject(&menu)
    , m_parts(parts)
{
    addLessons(menu);
    parts.exercises->addTo(menu);
    (new ClassPreparation(
         *parts.document, *parts.questions, parts.panels->charts(), *parts.bar, *parts.window))
        ->addTo(menu);
    menu.addSeparator();
    addKeys(menu);
    QAction* about = menu.addAction(tr("&About Flopsmith"), this, [this] {
        showDialog<About>(*m_parts.window, m_parts.window);
    });
    about->setObjectName(QStringLiteral("help.about"));
    about->setMenuRole(QAction::AboutRole);
}

void HelpMenu::addLessons(QMenu& menu)
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

void HelpMenu::addKeys(QMenu& menu)
{
    QAction* keys = menu.addAction(
        tr("&Keys"), this, [this] { showDialog<KeysSheet>(*m_parts.window, *m_parts.window); });
    keys->setObjectName(QStringLiteral("help.keys"));
    keys->setShortcuts(standardKeys(QKeySequence::HelpContents, tr("F1")) << QKeySequence(tr("?")));
    m_parts.window->addAction(keys);
    QAction* what = menu.addAction(tr("What is t&his?"), this, &HelpMenu::explainFocus);
    what->setObjectName(QStringLiteral("help.whatIsThis"));
    what->setShortcuts(standardKeys(QKeySequence::WhatsThis, tr("Shift+F1")));
    m_parts.window->addAction(what);
}

// While its menu is open, the focus is still where it was.
void HelpMenu::explainFocus()
{
    QWidget* focus = QApplication::focusWidget();
    if (focus == nullptr || !Explainer::openFor(*focus)) {
        m_parts.messages->show(
            MessageBar::Kind::note,
            tr("Go to a parameter, to the stack or to an entry of the palette, then "
               "ask what it is."));
    }
}

} // namespace flopsmith::ui

#include "moc_help_menu.cpp"
