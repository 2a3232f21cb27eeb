// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/parts/window_parts.h"

#include <QKeySequence>
#include <QList>
#include <QObject>

QT_BEGIN_NAMESPACE
class QAction;
class QMenu;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// "View": commands, pages of charts, zoom, designs beside the live one, panels, other windows, the
/// theme, and the whole screen.
class ViewMenu : public QObject
{
    Q_OBJECT

public:
    ViewMenu(QMenu& menu, const WindowParts& parts);

private:
    using Keys = QList<QKeySequence>;

    QAction* add(QMenu& menu, const char* name, const QString& text, const Keys& keys);
    QMenu& addMenu(const char* name, const QString& text);
    void addPages();
    void addStack();
    void addWindows();
    void addHistory();
    void addThemes();
    void addFullScreen();

    WindowParts m_parts;
    QMenu& m_menu;
};

} // namespace flopsmith::ui
