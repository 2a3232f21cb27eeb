// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/bars/bar_folding.h"

#include <QHBoxLayout>
#include <QWidget>

#include <algorithm>

namespace flopsmith::ui {

void BarFolding::hideFrom(Level level, QWidget& widget)
{
    m_folded.push_back({level, &widget, false});
}

void BarFolding::showFrom(Level level, QWidget& widget)
{
    m_folded.push_back({level, &widget, true});
}

bool BarFolding::isShownAt(Level level, const QWidget& widget) const
{
    const auto folded = std::find_if(m_folded.begin(), m_folded.end(), [&](const Folded& each) {
        return each.widget == &widget;
    });
    return folded == m_folded.end() ? !widget.isHidden()
                                    : (level >= folded->level) == folded->isShown;
}

int BarFolding::widthOf(const QLayout& layout, Level level) const
{
    int width = 0;
    for (int i = 0; i < layout.count(); ++i) {
        QLayoutItem* item = layout.itemAt(i);
        const QWidget* widget = item->widget();
        if (widget != nullptr && isShownAt(level, *widget)) {
            width += std::max(widget->minimumSizeHint().width(), widget->minimumWidth())
                + m_line.spacing();
        } else if (const QLayout* inner = item->layout()) {
            width += widthOf(*inner, level);
        }
    }
    return width;
}

int BarFolding::widthAt(Level level) const
{
    const QMargins margins = m_line.contentsMargins();
    return margins.left() + margins.right() + widthOf(m_line, level);
}

void BarFolding::fit(int width)
{
    Level level = Level::nothing;
    while (level < Level::precision && widthAt(level) > width) {
        level = static_cast<Level>(static_cast<int>(level) + 1);
    }
    if (level == m_level) {
        return;
    }
    m_level = level;
    for (const Folded& each : m_folded) {
        each.widget->setVisible(isShownAt(level, *each.widget));
    }
}

} // namespace flopsmith::ui
