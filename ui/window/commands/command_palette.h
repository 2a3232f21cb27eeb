// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document.h"

#include <QObject>

QT_BEGIN_NAMESPACE
class QAction;
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

class TopBar;
class TypedList;

/// Everything that the window can do, found by typing a part of its name.
class CommandPalette : public QObject
{
    Q_OBJECT

public:
    CommandPalette(Document& document, TopBar& bar, QWidget& window);

    /// "Find a command": Ctrl+K or Ctrl+Shift+P.
    QAction& action() { return *m_action; }

    /// Shows the list, with what was chosen last before all others.
    void open();

private:
    Document& m_document;
    TopBar& m_bar;
    QWidget& m_window;
    QAction* m_action;
    TypedList* m_list;
};

} // namespace flopsmith::ui
