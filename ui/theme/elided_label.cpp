// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/elided_label.h"

#include "ui/theme/reading_order.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QPainter>
#include <QStringList>

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
    if (!text.isEmpty()) {
        setAccessibleName(text);
    }
    updateGeometry();
    update();
}

void ElidedLabel::setDetail(const QString& detail)
{
    m_detail = detail;
    update();
}

void ElidedLabel::setRole(Role role)
{
    m_role = role;
    update();
}

QFont ElidedLabel::textFont() const
{
    const bool strong = m_role == Role::title || m_role == Role::figure;
    QFont own = font();
    own.setWeight(strong ? QFont::DemiBold : QFont::Normal);
    return own;
}

QSize ElidedLabel::sizeHint() const
{
    const QFontMetrics metrics(textFont());
    const QMargins around = contentsMargins();
    return {metrics.horizontalAdvance(m_text) + 2 + around.left() + around.right(),
            metrics.height() + 4};
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {24, sizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = systemTheme();
    QPainter painter(this);
    painter.setFont(textFont());
    painter.setPen(m_role == Role::muted       ? theme.mutedText
                       : m_role == Role::error ? theme.negative
                                               : theme.text);
    const QString shown =
        painter.fontMetrics().elidedText(m_text, Qt::ElideRight, contentsRect().width());
    setToolTip(shown == m_text ? m_detail
                               : QStringList{m_text, m_detail}.join(QLatin1Char('\n')).trimmed());
    painter.drawText(contentsRect(),
                     textFlags(m_alignment | Qt::AlignVCenter, m_text, layoutDirection())
                         | Qt::TextSingleLine,
                     shown);
}

} // namespace flopsmith::ui

#include "moc_elided_label.cpp"
