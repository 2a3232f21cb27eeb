// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

#include <vector>

QT_BEGIN_NAMESPACE
class QActionGroup;
class QHBoxLayout;
class QStackedWidget;
class QTabBar;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// Pages below a slim tab bar, one of them visible. Each page has an action with the shortcut Ctrl
/// and its number; they are the widget's actions(), for a menu.
class Pages : public QWidget
{
    Q_OBJECT

public:
    /// `accessibleName` describes the set of pages.
    Pages(const QString& name, const QString& accessibleName, QWidget* parent = nullptr);

    /// Adds a page after the others and returns its number. Takes ownership of the widgets; the
    /// picker, if any, is at the right end of the tab bar while the page is visible.
    int addPage(const QString& title, QWidget* page, QWidget* picker = nullptr);

    /// Adds a widget to the right end of the tab bar, whichever page is visible.
    void addToStrip(QWidget* widget);

    int count() const { return static_cast<int>(m_pickers.size()); }
    int current() const;
    void setCurrent(int page);

    /// The object name of the visible page; the setter shows the page of that name, if there is
    /// one.
    QString currentName() const;
    void setCurrentName(const QString& name);

    /// Removes pages by their object names, and shows the others. One page always stays.
    void setHidden(const QStringList& names);
    QWidget& page(int number);
    QTabBar& tabs() { return *m_tabs; }

private:
    void addPageAction(int number, const QString& text);
    void show(int page);

    QTabBar* m_tabs;
    QHBoxLayout* m_strip;
    QStackedWidget* m_stack;
    QActionGroup* m_choice;
    std::vector<QWidget*> m_pickers; ///< of each page; may be null
};

} // namespace flopsmith::ui
