// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

QT_BEGIN_NAMESPACE
class QHBoxLayout;
class QMenu;
class QToolButton;
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

class BarFolding;

/// The menus of the tool bar: a text button for each, and one that contains all if the bar is narrow.
class BarMenus : public QObject
{
    Q_OBJECT

public:
    BarMenus(QWidget& bar, QHBoxLayout& line, BarFolding& folding);

    /// Adds a text button that opens a menu: "File", "Edit", "View".
    QMenu& add(const QString& name, const QString& title);

    /// The button that contains all of them.
    QToolButton& folded() { return *m_folded; }

    void updateIcon();

private:
    QWidget& m_bar;
    BarFolding& m_folding;
    QHBoxLayout* m_line;
    QToolButton* m_folded;
};

} // namespace flopsmith::ui
