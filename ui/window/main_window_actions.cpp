// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/stack_view.h"
#include "ui/theme/theme.h"
#include "ui/window/chart_pages.h"
#include "ui/window/claims_window.h"
#include "ui/window/curve_measuring.h"
#include "ui/window/devices_window.h"
#include "ui/window/file_actions.h"
#include "ui/window/main_window.h"
#include "ui/window/measuring_control.h"
#include "ui/window/top_bar.h"

#include <QApplication>
#include <QMenu>
#include <QToolButton>

// The window's menus, and the windows that they open.

namespace flopsmith::ui {

void MainWindow::createActions()
{
    m_files = new FileActions(m_document, *m_messages, *this);
    QMenu& file = m_bar->addMenu(QStringLiteral("file"), tr("&File"));
    m_files->fill(file);
    createViewActions(file);
    m_files->addQuit(file);
    QMenu& edit = m_bar->addMenu(QStringLiteral("edit"), tr("&Edit"));
    QAction* undo = m_document.undoStack().createUndoAction(this, tr("Undo"));
    QAction* redo = m_document.undoStack().createRedoAction(this, tr("Redo"));
    undo->setObjectName(QStringLiteral("edit.undo"));
    redo->setObjectName(QStringLiteral("edit.redo"));
    undo->setShortcuts(QKeySequence::Undo);
    redo->setShortcuts(QKeySequence::Redo);
    addActions({undo, redo});
    m_bar->setUndoActions(*undo, *redo);
    connect(&edit, &QMenu::aboutToShow, this, [this, &edit, undo, redo] {
        edit.clear();
        edit.addActions({undo, redo});
        edit.addSeparator();
        m_stack->actionsOfStack().fill(edit);
    });
    m_charts->fillExportMenu(m_bar->addMenu(QStringLiteral("export"), tr("E&xport")));
}

void MainWindow::createViewActions(QMenu& file)
{
    file.addSeparator();
    QMenu& menu = *file.addMenu(tr("&View"));
    menu.setObjectName(QStringLiteral("view"));
    menu.setAccessibleName(tr("View"));
    menu.addActions(m_charts->actions());
    menu.addSeparator();
    QAction* claims =
        menu.addAction(tr("&Claims of the founding notes"), this, [this] { showClaims(); });
    claims->setObjectName(QStringLiteral("view.claims"));
    claims->setShortcut(QKeySequence(tr("Ctrl+L")));
    addAction(claims);
    QAction* devices = menu.addAction(tr("De&vices…"), this, [this] { showDevices(); });
    devices->setObjectName(QStringLiteral("view.devices"));
    devices->setShortcut(QKeySequence(tr("Ctrl+Shift+D")));
    addAction(devices);
    menu.addSeparator();
    const auto theme = [this, &menu](const char* name, const QString& text, ThemeChoice choice) {
        QAction* action = menu.addAction(text, this, [this, choice] { setThemeChoice(choice); });
        action->setObjectName(QStringLiteral("view.") + QLatin1String(name));
    };
    theme("light", tr("&Light theme"), ThemeChoice::light);
    theme("dark", tr("&Dark theme"), ThemeChoice::dark);
    theme("system", tr("Theme of the &system"), ThemeChoice::system);
    menu.addSeparator();
    QAction* full = menu.addAction(
        tr("&Full screen"), this, [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
    full->setObjectName(QStringLiteral("view.fullScreen"));
    full->setShortcuts(QKeySequence::FullScreen);
    addAction(full);
    connect(&m_bar->themeButton(), &QToolButton::clicked, this, [this] {
        const bool dark = systemTheme(QApplication::palette()).dark;
        setThemeChoice(dark ? ThemeChoice::light : ThemeChoice::dark);
    });
}

ClaimsWindow& MainWindow::showClaims()
{
    if (m_claims == nullptr) {
        m_claims = new ClaimsWindow(m_measuring->device(), this);
        if (!m_measuring->store().empty()) {
            m_claims->useStore(m_measuring->store());
        }
        connect(m_measuring, &MeasuringControl::deviceChanged, m_claims, [this] {
            m_claims->setDevice(m_measuring->device());
        });
        connect(m_claims, &ClaimsWindow::measuringStarted, m_measuring, &MeasuringControl::cancel);
        connect(m_claims, &ClaimsWindow::measuringStarted, m_curves, &CurveMeasuring::cancel);
        connect(m_measuring, &MeasuringControl::progressed, m_claims, [this](int, int total) {
            if (total > 0) {
                m_claims->cancel();
            }
        });
    }
    m_claims->show();
    m_claims->raise();
    m_claims->activateWindow();
    return *m_claims;
}

DevicesWindow& MainWindow::showDevices()
{
    if (m_devices == nullptr) {
        m_devices = new DevicesWindow(this);
        connect(m_devices, &DevicesWindow::devicesChanged, m_measuring, [this] {
            m_measuring->reloadDevices(m_bar->deviceChip());
        });
    } else if (!m_devices->isVisible()) {
        m_devices->refresh();
    }
    m_devices->show();
    m_devices->raise();
    m_devices->activateWindow();
    return *m_devices;
}

} // namespace flopsmith::ui
