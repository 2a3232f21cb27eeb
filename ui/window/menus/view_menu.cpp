// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/menus/view_menu.h"

#include "ui/canvas/stack_view.h"
#include "ui/chart_pages/chart_pages.h"
#include "ui/chart_pages/large_chart.h"
#include "ui/chart_pages/scope_control.h"
#include "ui/theme/theme.h"
#include "ui/widgets/layout/panel_keys.h"
#include "ui/widgets/layout/standard_keys.h"
#include "ui/window/bars/top_bar.h"
#include "ui/window/commands/command_palette.h"
#include "ui/window/designs/column_actions.h"
#include "ui/window/designs/design_actions.h"
#include "ui/window/headline/headline.h"
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
    m_menu.addAction(&m_parts.commands->action());
    menu.addSeparator();
    addPages();
    addStack();
    m_parts.designActions->fill(m_menu);
    menu.addSeparator();
    addWindows();
    addHistory();
    menu.addSeparator();
    addThemes();
    addFullScreen();
}

QAction* ViewMenu::add(QMenu& menu, const char* name, const QString& text, const Keys& keys)
{
    QAction* action = menu.addAction(text);
    action->setObjectName(QStringLiteral("view.") + QLatin1String(name));
    action->setShortcuts(keys);
    m_parts.window->addAction(action); // so that the shortcuts work while the menu is closed
    return action;
}

QMenu& ViewMenu::addMenu(const char* name, const QString& text)
{
    QMenu* below = m_menu.addMenu(text);
    below->setObjectName(QStringLiteral("view.%1.menu").arg(QLatin1String(name)));
    below->setAccessibleName(QString(text).remove(QLatin1Char('&')));
    return *below;
}

void ViewMenu::addPages()
{
    QMenu& pages = addMenu("pages", tr("&Pages and panels"));
    pages.addActions(m_parts.panels->charts().actions());
    pages.addSeparator();
    m_parts.panelKeys->fill(pages);
    QMenu& charts = addMenu("charts", tr("Ch&arts"));
    charts.addActions(m_parts.panels->charts().scope().actions());
    charts.addSeparator();
    charts.addActions(m_parts.panels->charts().largeChart().actions());
    addMenu("why", tr("&Why is it so")).addActions(m_parts.figures->actions());
}

void ViewMenu::addStack()
{
    StackView& stack = m_parts.panels->stack();
    QMenu& below = addMenu("stack", tr("S&tack"));
    below.addAction(&stack.actionsOfStack().inside());
    below.addSeparator();
    below.addActions(stack.zoom().actions().all());
    below.addSeparator();
    below.addActions(m_parts.columns->all());
}

void ViewMenu::addWindows()
{
    const QAction* claims = add(m_menu, "claims", tr("&Claims about FFNs"), Keys{tr("Ctrl+L")});
    connect(claims, &QAction::triggered, this, [this] { m_parts.measuring->showClaims(); });
    m_menu.addAction(&m_parts.labPlace->action());
    m_parts.window->addAction(&m_parts.labPlace->action());
    const QAction* devices = add(m_menu, "devices", tr("De&vices…"), Keys{tr("Ctrl+Shift+D")});
    connect(devices, &QAction::triggered, this, [this] { m_parts.measuring->showDevices(); });
}

void ViewMenu::addHistory()
{
    const HistoryPanel& history = m_parts.panels->history();
    QMenu& below = addMenu("history", tr("&History"));
    QAction* action = add(below, "history", tr("Show the &history"), Keys{tr("Ctrl+Shift+H")});
    action->setCheckable(true);
    action->setChecked(!history.isHidden());
    connect(action, &QAction::toggled, this, [this](bool open) {
        m_parts.panels->openHistory(open);
        storeHistoryOpen(open);
    });
    below.addSeparator();
    below.addActions(history.stepActions());
    m_parts.window->addActions(history.stepActions()); // while the menu is closed
}

void ViewMenu::addThemes()
{
    WindowTheme& shown = *m_parts.theme;
    QMenu& below = addMenu("theme", tr("The&me"));
    const auto theme = [this, &shown, &below](
                           const char* name, const QString& text, ThemeChoice choice) {
        QAction* action = below.addAction(text, this, [&shown, choice] { shown.choose(choice); });
        action->setObjectName(QStringLiteral("view.") + QLatin1String(name));
    };
    theme("light", tr("&Light theme"), ThemeChoice::light);
    theme("dark", tr("&Dark theme"), ThemeChoice::dark);
    theme("contrast", tr("&High contrast"), ThemeChoice::contrast);
    theme("system", tr("Theme of the &system"), ThemeChoice::system);
    connect(&m_parts.bar->themeButton(), &QToolButton::clicked, &shown, [&shown] {
        shown.choose(systemTheme().dark ? ThemeChoice::light : ThemeChoice::dark);
    });
}

void ViewMenu::addFullScreen()
{
    Keys keys = standardKeys(QKeySequence::FullScreen, tr("F11"));
    keys.removeAll(m_parts.designActions->freeze().shortcut()); // KDE's second key
    QAction* full = add(m_menu, "fullScreen", tr("&Full screen"), keys);
    full->setToolTip(tr("Once more: lecture mode"));
    connect(full, &QAction::triggered, this, [this] {
        QMainWindow& window = *m_parts.window;
        if (!window.isFullScreen()) {
            window.setWindowState(window.windowState() | Qt::WindowFullScreen);
        } else if (!m_parts.labPlace->togglePresented()) {
            m_parts.lecture->startFromFullScreen();
        }
    });
}

} // namespace flopsmith::ui

#include "moc_view_menu.cpp"
