// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/menus/view_menu.h"

#include "ui/canvas/stack_view.h"
#include "ui/chart_pages/chart_pages.h"
#include "ui/theme/theme.h"
#include "ui/widgets/layout/panel_keys.h"
#include "ui/widgets/layout/standard_keys.h"
#include "ui/window/bars/top_bar.h"
#include "ui/window/commands/command_palette.h"
#include "ui/window/designs/column_actions.h"
#include "ui/window/designs/design_actions.h"
#include "ui/window/history/history_panel.h"
#include "ui/window/lab/lab_place.h"
#include "ui/window/lecture/lecture.h"
#include "ui/window/measuring/window_measuring.h"
#include "ui/window/panels/design_panels.h"
#include "ui/window/settings/window_theme.h"

#include <QAction>
#include <QMainWindow>
#include <QMenu>
#include <QToolButton>

namespace flopsmith::ui {

ViewMenu::ViewMenu(QMenu& menu, const WindowParts& parts)
    : QObject(&menu)
    , m_parts(parts)
    , m_menu(menu)
{
    addPages();
    addWindows();
    addHistory();
    menu.addSeparator();
    addThemes();
    menu.addSeparator();
    addFullScreen();
    addLecture();
}

QAction* ViewMenu::add(const char* name, const QString& text, const Keys& keys)
{
    QAction* action = m_menu.addAction(text);
    action->setObjectName(QStringLiteral("view.") + QLatin1String(name));
    action->setShortcuts(keys);
    m_parts.window->addAction(action); // so that the shortcuts work while the menu is closed
    return action;
}

void ViewMenu::addPages()
{
    StackView& stack = m_parts.panels->stack();
    m_menu.addAction(&m_parts.commands->action());
    m_menu.addSeparator();
    m_menu.addActions(m_parts.panels->charts().actions());
    m_menu.addSeparator();
    m_menu.addAction(&stack.actionsOfStack().inside());
    m_menu.addActions(stack.zoom().actions().all());
    m_parts.designActions->fill(m_menu);
    m_menu.addActions(m_parts.columns->all());
    m_menu.addSeparator();
    m_parts.panelKeys->fill(m_menu);
    m_menu.addSeparator();
}

void ViewMenu::addWindows()
{
    const QAction* claims = add("claims", tr("&Claims about FFNs"), Keys{tr("Ctrl+L")});
    connect(claims, &QAction::triggered, this, [this] { m_parts.measuring->showClaims(); });
    m_menu.addAction(&m_parts.labPlace->action());
    m_parts.window->addAction(&m_parts.labPlace->action());
    const QAction* devices = add("devices", tr("De&vices…"), Keys{tr("Ctrl+Shift+D")});
    connect(devices, &QAction::triggered, this, [this] { m_parts.measuring->showDevices(); });
}

void ViewMenu::addHistory()
{
    const HistoryPanel& history = m_parts.panels->history();
    QAction* action = add("history", tr("&History"), Keys{tr("Ctrl+Shift+H")});
    action->setCheckable(true);
    action->setChecked(!history.isHidden());
    connect(action, &QAction::toggled, this, [this](bool open) {
        m_parts.panels->openHistory(open);
        storeHistoryOpen(open);
    });
    m_menu.addActions(history.stepActions());
    m_parts.window->addActions(history.stepActions()); // while the menu is closed
}

void ViewMenu::addThemes()
{
    WindowTheme& shown = *m_parts.theme;
    const auto theme = [this, &shown](const char* name, const QString& text, ThemeChoice choice) {
        QAction* action = m_menu.addAction(text, this, [&shown, choice] { shown.choose(choice); });
        action->setObjectName(QStringLiteral("view.") + QLatin1String(name));
    };
    theme("light", tr("&Light theme"), ThemeChoice::light);
    theme("dark", tr("&Dark theme"), ThemeChoice::dark);
    theme("system", tr("Theme of the &system"), ThemeChoice::system);
    connect(&m_parts.bar->themeButton(), &QToolButton::clicked, &shown, [&shown] {
        shown.choose(systemTheme().dark ? ThemeChoice::light : ThemeChoice::dark);
    });
}

// Whether the lab is shown, which then fills the screen or no longer does.
bool ViewMenu::toggleLabForAudience()
{
    LabPlace& lab = *m_parts.labPlace;
    if (lab.isShown()) {
        lab.present(!lab.isPresented());
    }
    return lab.isShown();
}

void ViewMenu::addFullScreen()
{
    Keys keys = standardKeys(QKeySequence::FullScreen, tr("F11"));
    keys.removeAll(m_parts.designActions->freeze().shortcut()); // KDE's second key
    QAction* full = add("fullScreen", tr("&Full screen"), keys);
    full->setToolTip(tr("Once more: lecture mode"));
    connect(full, &QAction::triggered, this, [this] {
        QMainWindow& window = *m_parts.window;
        if (!window.isFullScreen()) {
            window.setWindowState(window.windowState() | Qt::WindowFullScreen);
        } else if (!toggleLabForAudience()) {
            m_parts.lecture->startFromFullScreen();
        }
    });
}

void ViewMenu::addLecture()
{
    QAction* lecture = add("lecture", tr("Lec&ture mode"), Keys{tr("F5")});
    lecture->setToolTip(tr("One chart large, with the keys of a presenter; Esc leaves it and shows "
                           "the design as it is now"));
    connect(lecture, &QAction::triggered, this, [this] {
        if (!toggleLabForAudience()) {
            m_parts.lecture->start();
        }
    });
}

} // namespace flopsmith::ui

#include "moc_view_menu.cpp"
