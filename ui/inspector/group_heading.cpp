// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/group_heading.h"

#include "ui/theme/reading_order.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>
#include <QStyle>

namespace flopsmith::ui {
namespace {

constexpr int kTickWidth = 4;
constexpr int kTickHeight = 11;
constexpr int kTextLeft = 11;
constexpr int kSpaceAbove = 6;

QFont headingFont(QFont font)
{
    font.setWeight(QFont::Medium);
    font.setPointSizeF(font.pointSizeF() * 0.86);
    font.setLetterSpacing(QFont::PercentageSpacing, 103);
    return font;
}

} // namespace

GroupHeading::GroupHeading(const QString& title, const Component* component, QWidget* parent)
    : QWidget(parent)
    , m_title(title)
    , m_component(component)
{
    setAccessibleName(title);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize GroupHeading::sizeHint() const
{
    return {120, kSpaceAbove + QFontMetrics(headingFont(font())).height() + 2};
}

void GroupHeading::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = systemTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRect line = rect().adjusted(0, kSpaceAbove, 0, 0);
    const QRectF tick(0.0, line.center().y() - kTickHeight / 2.0 + 0.5, kTickWidth, kTickHeight);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_component != nullptr ? colour(*m_component) : theme.accent);
    painter.drawRoundedRect(mirroredIn(layoutDirection(), rect(), tick), 1.5, 1.5);
    painter.setFont(headingFont(font()));
    painter.setPen(theme.mutedText);
    const QRect text = line.adjusted(kTextLeft, 0, 0, 0);
    painter.drawText(QStyle::visualRect(layoutDirection(), rect(), text),
                     textFlags(Qt::AlignLeft | Qt::AlignVCenter, m_title, layoutDirection()),
                     m_title.toUpper());
}

} // namespace flopsmith::ui

#include "moc_group_heading.cpp"
