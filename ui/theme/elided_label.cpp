// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/elided_label.h"

#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>

namespace flopsmith::ui {

ElidedLabel::ElidedLabel(Role role, Qt::Alignment alignment, QWidget* parent)
    : QWidget(parent)
    , m_role(role)
    , m_alignment(alignment)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ElidedLabel::setText(const QString& text)
{
    if (text == m_text) {
        return;
    }
    m_text = text;
    setAccessibleName(text);
    updateGeometry();
    update();
}

QFont ElidedLabel::textFont() const
{
    QFont own = font();
    own.setWeight(m_role == Role::muted ? QFont::Normal : QFont::DemiBold);
    return own;
}

QSize ElidedLabel::sizeHint() const
{
    const QFontMetrics metrics(textFont());
    return {metrics.horizontalAdvance(m_text) + 2, metrics.height() + 4};
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {24, sizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = systemTheme(QApplication::palette());
    QPainter painter(this);
    painter.setFont(textFont());
    painter.setPen(m_role == Role::muted ? theme.mutedText : theme.text);
    const QString shown = painter.fontMetrics().elidedText(m_text, Qt::ElideRight, width());
    setToolTip(shown == m_text ? QString() : m_text);
    painter.drawText(rect(), static_cast<int>(m_alignment | Qt::AlignVCenter), shown);
}

} // namespace flopsmith::ui
