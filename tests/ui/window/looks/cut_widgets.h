// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/inspector/qts_own.h"
#include "ui/theme/elided_label.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QCoreApplication>
#include <QLabel>
#include <QSplitter>
#include <QStringList>

namespace flopsmith::ui::test {

/// What a scroll area shows may be larger than its view.
inline bool isScrolled(const QWidget& widget)
{
    const QWidget& parent = *widget.parentWidget();
    const auto* area = qobject_cast<const QAbstractScrollArea*>(parent.parentWidget());
    return area != nullptr && area->viewport() == &parent;
}

inline bool isInsideItsParent(const QWidget& widget)
{
    const QWidget& parent = *widget.parentWidget();
    const bool isSplit = qobject_cast<const QSplitter*>(&parent) != nullptr;
    const int slack = isSplit ? 1 : 0; // which Qt needs from right to left
    return isScrolled(widget)
        || parent.rect().adjusted(-slack, -slack, slack, slack).contains(widget.geometry());
}

/// Notes of panels are elided before their titles, and have a tool tip then.
inline bool showsItsText(const QWidget& widget)
{
    if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
        return label->wordWrap() ? label->height() >= label->heightForWidth(label->width())
                                 : label->width() >= label->sizeHint().width();
    }
    if (dynamic_cast<const ElidedLabel*>(&widget) != nullptr) {
        return widget.objectName().endsWith(QLatin1String(".note"))
            || widget.width() >= widget.sizeHint().width() - 2;
    }
    const auto* button = qobject_cast<const QAbstractButton*>(&widget);
    return button == nullptr || button->text().isEmpty()
        || button->width() >= button->minimumSizeHint().width();
}

/// The visible widgets of a window that stick out of their parents, or cut their texts.
inline QStringList cutWidgets(const QWidget& window)
{
    for (int round = 0; round < 5; ++round) { // layouts below layouts
        QCoreApplication::processEvents();
    }
    QStringList cut;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        const bool isShown = widget->isVisible() && widget->window() == &window;
        if (isShown && !isQtsOwn(*widget)
            && !(isInsideItsParent(*widget) && showsItsText(*widget))) {
            cut << widget->objectName() + QLatin1Char(' ') + widget->accessibleName();
        }
    }
    return cut;
}

} // namespace flopsmith::ui::test
