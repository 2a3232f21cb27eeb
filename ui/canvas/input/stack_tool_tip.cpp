// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/input/stack_tool_tip.h"

#include <QObject>

namespace flopsmith::ui {
namespace {

QString costLine(const std::string& title, const CostBar& bar)
{
    return QStringLiteral("%1: %2").arg(QString::fromStdString(title),
                                        QString::fromStdString(bar.exactText));
}

// The part or its stage at a point; empty beside them all.
QString partToolTip(const StackRow& row, const RowGeometry& geometry, const QPointF& point)
{
    for (std::size_t i = 0; i < geometry.parts.size(); ++i) {
        const StackPart& part = row.parts[i];
        for (std::size_t c = 0; c < geometry.parts[i].chips.size(); ++c) {
            if (geometry.parts[i].chips[c].contains(point)) {
                return costLine(part.chips[c].title, part.chips[c].bar);
            }
        }
        const QRectF line(geometry.frame.left(),
                          geometry.parts[i].box.top(),
                          geometry.frame.width(),
                          geometry.parts[i].box.height());
        if (line.contains(point)) {
            return costLine(part.title, part.bar);
        }
    }
    return {};
}

} // namespace

QString stackToolTip(const StackLayout& layout, const QPointF& point)
{
    if (const int pattern = layout.patternAt(point); pattern >= 0) {
        const StackPattern& shown = layout.picture.patterns[static_cast<std::size_t>(pattern)];
        return QObject::tr("%1, %2\nCtrl and the wheel, or + and − while it is selected, change "
                           "how often it comes.")
            .arg(QString::fromStdString(shown.title), QString::fromStdString(shown.timesText));
    }
    const int row = layout.rowAt(point);
    if (!layout.isRow(row)) {
        return {};
    }
    const auto index = static_cast<std::size_t>(row);
    const StackRow& shown = layout.picture.rows[index];
    if (const QString part = partToolTip(shown, layout.geometry.rows[index], point);
        !part.isEmpty()) {
        return part;
    }
    QStringList lines{QString::fromStdString(shown.title)};
    for (const StackPart& part : shown.parts) {
        lines << costLine(part.title, part.bar);
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace flopsmith::ui
