// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <vector>

QT_BEGIN_NAMESPACE
class QActionGroup;
class QHBoxLayout;
class QStackedWidget;
class QTabBar;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// Widgets of which one is seen, below a slim strip of tabs. Each page has an action with Ctrl and
/// its number; they are the widget's actions(), for a menu.
class Pages : public QWidget
{
    Q_OBJECT

public:
    /// `accessibleName` says what the pages are.
    Pages(const QString& name, const QString& accessibleName, QWidget* parent = nullptr);

    /// Adds a page behind the others and gives its number. The widgets become its own; the picker,
    /// if there is one, stands at the strip's right end while the page is seen.
    int addPage(const QString& title, QWidget* page, QWidget* picker = nullptr);

    int count() const { return static_cast<int>(m_pickers.size()); }
    int current() const;
    void setCurrent(int page);

    /// The object name of the page that is seen; the page of a name, if there is one, becomes it.
    QString currentName() const;
    void setCurrentName(const QString& name);
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
