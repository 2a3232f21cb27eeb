// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/part_stack.h"

#include "core/count/component.h"
#include "ui/charts/base/drawing.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>
#include <QStyle>

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr int kBarHeight = 5;
constexpr double kDecades = 3.0; ///< that the bars span, down from the strongest part
constexpr int kMinBarWidth = 40;

QString normText(double norm)
{
    return std::isfinite(norm) ? QString::number(norm, 'g', 2) : QStringLiteral("–");
}

} // namespace

PartStack::PartStack(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("lab.parts"));
    setAccessibleName(tr("Norms of the gradients of each part"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void PartStack::setParts(const std::vector<PartNorm>& parts)
{
    if (parts == m_parts) {
        return;
    }
    const bool isAsHigh = parts.size() == m_parts.size();
    m_parts = parts;
    QStringList spoken;
    for (const PartNorm& part : m_parts) {
        spoken << toQt(part.part) + QLatin1Char(' ') + normText(part.norm);
    }
    setAccessibleDescription(spoken.join(QStringLiteral(", ")));
    if (!isAsHigh) {
        updateGeometry();
    }
    update();
}

int PartStack::lineHeight() const
{
    return fontMetrics().height() + 3;
}

QSize PartStack::sizeHint() const
{
    return {260, lineHeight() * static_cast<int>(m_parts.size())};
}

QSize PartStack::minimumSizeHint() const
{
    return {120, sizeHint().height()};
}

double PartStack::shareOf(double norm) const
{
    double most = 0.0;
    for (const PartNorm& part : m_parts) {
        most = std::isfinite(part.norm) ? std::max(most, part.norm) : most;
    }
    if (!(norm > 0.0) || !std::isfinite(norm)) {
        return 0.0;
    }
    return std::clamp(1.0 + std::log10(norm / most) / kDecades, 0.02, 1.0);
}

void PartStack::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = systemTheme(QApplication::palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    int names = 0;
    int values = 0;
    for (const PartNorm& part : m_parts) {
        names = std::max(names, fontMetrics().horizontalAdvance(toQt(part.part)));
        values = std::max(values, fontMetrics().horizontalAdvance(normText(part.norm)));
    }
    names = std::min(names + 1, width() - values - 24 - kMinBarWidth);
    const int bars = std::max(0, width() - names - values - 24);
    const auto mirrored = [this](const QRect& place) {
        return QStyle::visualRect(layoutDirection(), rect(), place);
    };
    int y = 0;
    for (const PartNorm& part : m_parts) {
        const int height = lineHeight();
        painter.setPen(theme.text);
        painter.drawText(mirrored({0, y, names, height}),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         fontMetrics().elidedText(toQt(part.part), Qt::ElideMiddle, names));
        const QRect groove =
            mirrored({names + 12, y + (height - kBarHeight) / 2, bars, kBarHeight});
        QRect bar = groove;
        bar.setWidth(static_cast<int>(std::lround(bars * shareOf(part.norm))));
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.groove);
        painter.drawRoundedRect(groove, 2.5, 2.5);
        painter.setBrush(theme.accent);
        painter.drawRoundedRect(bar, 2.5, 2.5);
        painter.setPen(theme.mutedText);
        painter.drawText(mirrored({names + 24 + bars, y, values, height}),
                         Qt::AlignRight | Qt::AlignVCenter,
                         normText(part.norm));
        y += height;
    }
}

} // namespace flopsmith::ui
