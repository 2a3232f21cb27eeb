// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart_pages/large_chart.h"

#include "ui/chart_pages/chart_pages.h"
#include "ui/chart_pages/chart_panel.h"

#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QSplitter>
#include <QTabBar>

#include <algorithm>
#include <utility>

namespace flopsmith::ui {

LargeChart::LargeChart(ChartPages& pages)
    : QObject(&pages)
    , m_pages(pages)
    , m_page(addAction("view.chart.page", tr("&Chart as large as its page"), Size::page))
    , m_window(addAction("view.chart.window", tr("Chart as large as the w&indow"), Size::window))
{
    pages.installEventFilter(this); // of Esc, which nothing inside wanted
    for (ChartPanel* panel : pages.panels()) {
        panel->view().installEventFilter(this);
    }
    connect(&pages.tabs(), &QTabBar::currentChanged, this, &LargeChart::end);
}

QAction* LargeChart::addAction(const char* name, const QString& text, Size size)
{
    auto* action = new QAction(text, this);
    action->setObjectName(QLatin1String(name));
    action->setCheckable(true);
    connect(action, &QAction::triggered, this, [this, size] {
        if (ChartPanel* panel = chosenPanel()) {
            toggle(*panel, size);
        }
        setSize(m_size); // a click has changed the check mark
    });
    return action;
}

// The chart with the focus, or the first of the page.
ChartPanel* LargeChart::chosenPanel() const
{
    const QWidget* focus = QApplication::focusWidget();
    ChartPanel* first = nullptr;
    for (ChartPanel* panel : m_pages.panels()) {
        if (panel->isVisible() && panel->isAncestorOf(focus)) {
            return panel;
        }
        first = first == nullptr && panel->isVisible() ? panel : first;
    }
    return first;
}

void LargeChart::toggle(ChartPanel& panel, Size size)
{
    if (m_size == size && m_panel == &panel) {
        end();
    } else {
        show(panel, size);
    }
}

void LargeChart::show(ChartPanel& panel, Size size)
{
    end();
    m_panel = &panel;
    if (const auto* row = qobject_cast<QSplitter*>(panel.parentWidget())) {
        for (int i = 0; i < row->count(); ++i) {
            QWidget* beside = row->widget(i);
            if (beside != &panel && !beside->isHidden()) {
                beside->hide();
                m_hidden << beside;
            }
        }
    }
    setSize(size);
    panel.view().setFocus(Qt::OtherFocusReason);
}

void LargeChart::end()
{
    for (const QPointer<QWidget>& widget : std::exchange(m_hidden, {})) {
        if (widget) {
            widget->show();
        }
    }
    m_panel = nullptr;
    setSize(Size::usual);
}

void LargeChart::setSize(Size size)
{
    const bool neededWindow = m_size == Size::window;
    m_size = size;
    m_page->setChecked(size == Size::page);
    m_window->setChecked(size == Size::window);
    if (neededWindow != (size == Size::window)) {
        Q_EMIT windowNeeded(size == Size::window);
    }
}

bool LargeChart::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::MouseButtonDblClick && watched != &m_pages) {
        const auto& mouse = static_cast<const QMouseEvent&>(*event);
        const auto panel = std::ranges::find_if(
            m_pages.panels(), [&](ChartPanel* each) { return &each->view() == watched; });
        if (mouse.button() == Qt::LeftButton && panel != m_pages.panels().end()) {
            const bool toWindow = mouse.modifiers().testFlag(Qt::ControlModifier);
            toggle(**panel, toWindow ? Size::window : Size::page);
            return true;
        }
    }
    if (event->type() == QEvent::KeyPress && watched == &m_pages && m_size != Size::usual
        && static_cast<const QKeyEvent&>(*event).key() == Qt::Key_Escape) {
        end();
        return true;
    }
    return QObject::eventFilter(watched, event);
}

} // namespace flopsmith::ui

#include "moc_large_chart.cpp"
