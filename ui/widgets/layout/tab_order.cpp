// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/layout/tab_order.h"

#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QGridLayout>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QTextEdit>

#include <algorithm>
#include <tuple>

namespace flopsmith::ui {
namespace {

// Qt's compound widgets manage the focus of their parts themselves.
bool isCompound(const QWidget& widget)
{
    return qobject_cast<const QAbstractSpinBox*>(&widget) != nullptr
        || qobject_cast<const QComboBox*>(&widget) != nullptr
        || qobject_cast<const QAbstractItemView*>(&widget) != nullptr
        || qobject_cast<const QTextEdit*>(&widget) != nullptr
        || qobject_cast<const QTabBar*>(&widget) != nullptr;
}

/// Collects the widgets that accept focus by Tab.
class Walk
{
public:
    void visit(QWidget* widget)
    {
        if (widget == nullptr || widget->isWindow() || m_seen.contains(widget)) {
            return;
        }
        m_seen << widget;
        if ((widget->focusPolicy() & Qt::TabFocus) != 0 && widget->focusProxy() == nullptr) {
            m_order << widget;
        }
        if (!isCompound(*widget)) {
            visitInside(*widget);
        }
    }

    const QList<QWidget*>& order() const { return m_order; }

private:
    void visitInside(QWidget& widget)
    {
        if (const auto* splitter = qobject_cast<QSplitter*>(&widget)) {
            for (int i = 0; i < splitter->count(); ++i) {
                visit(splitter->widget(i));
            }
        } else if (const auto* area = qobject_cast<QScrollArea*>(&widget)) {
            visit(area->widget());
        } else if (const auto* stack = qobject_cast<QStackedWidget*>(&widget)) {
            for (int i = 0; i < stack->count(); ++i) {
                visit(stack->widget(i));
            }
        } else if (widget.layout() != nullptr) {
            visit(*widget.layout());
        }
    }

    void visit(QLayout& layout)
    {
        for (const int index : itemOrder(layout)) {
            QLayoutItem* item = layout.itemAt(index);
            if (item->layout() != nullptr) {
                visit(*item->layout());
            } else {
                visit(item->widget());
            }
        }
    }

    // In a grid by line and column, otherwise in order of insertion.
    static QList<int> itemOrder(QLayout& layout)
    {
        QList<int> order;
        for (int i = 0; i < layout.count(); ++i) {
            order << i;
        }
        if (const auto* grid = qobject_cast<QGridLayout*>(&layout)) {
            const auto place = [grid](int index) {
                int row = 0;
                int column = 0;
                int rows = 0;
                int columns = 0;
                grid->getItemPosition(index, &row, &column, &rows, &columns);
                return std::tuple(row, column);
            };
            std::stable_sort(
                order.begin(), order.end(), [&place](int a, int b) { return place(a) < place(b); });
        }
        return order;
    }

    QList<QWidget*> m_seen;
    QList<QWidget*> m_order;
};

} // namespace

QList<QWidget*> focusOrder(QWidget& part)
{
    Walk walk;
    walk.visit(&part);
    return walk.order();
}

void orderTabs(const QList<QWidget*>& parts)
{
    QWidget* last = nullptr;
    for (QWidget* part : parts) {
        for (QWidget* next : focusOrder(*part)) {
            if (last != nullptr) {
                QWidget::setTabOrder(last, next);
            }
            last = next;
        }
    }
}

QWidget* firstFocus(QWidget& part)
{
    const QList<QWidget*> order = focusOrder(part);
    const auto first = std::find_if(order.begin(), order.end(), [](const QWidget* widget) {
        return widget->isVisibleTo(widget->window()) && widget->isEnabled();
    });
    return first == order.end() ? nullptr : *first;
}

} // namespace flopsmith::ui
