// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/chip.h"

#include "ui/theme/reading_order.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPainterPath>
#include <QStyle>

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr int kMinHeight = 30;
constexpr int kPadding = 10;
constexpr int kCaptionGap = 10;
constexpr int kArrow = 12;

// Large type needs more.
int chipHeight(const QWidget& chip)
{
    return std::max(kMinHeight, chip.fontMetrics().height() + 12);
}

void drawArrow(QPainter& painter, const QRectF& place, const QColor& colour)
{
    QPainterPath arrow;
    const QPointF middle = place.center();
    arrow.moveTo(middle.x() - 3.5, middle.y() - 1.75);
    arrow.lineTo(middle.x(), middle.y() + 1.75);
    arrow.lineTo(middle.x() + 3.5, middle.y() - 1.75);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPath(arrow);
}

} // namespace

ChoiceChip::ChoiceChip(const QString& name,
                       const QString& caption,
                       const QString& accessibleName,
                       QWidget* parent)
    : QToolButton(parent)
    , m_caption(caption)
    , m_accessibleName(accessibleName)
    , m_menu(new QMenu(this))
{
    setObjectName(QStringLiteral("bar.") + name);
    m_menu->setObjectName(QStringLiteral("bar.%1.menu").arg(name));
    m_menu->setAccessibleName(accessibleName);
    setMenu(m_menu);
    setPopupMode(QToolButton::InstantPopup);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    setValue({});
}

void ChoiceChip::setValue(const QString& value)
{
    if (value == m_value && !accessibleName().isEmpty()) {
        return; // set again with every frame
    }
    m_value = value;
    setAccessibleName(QStringLiteral("%1: %2").arg(m_accessibleName, value));
    updateGeometry();
    update();
}

void ChoiceChip::setCharacters(int min, int max)
{
    m_minCharacters = min;
    m_maxCharacters = max;
    updateGeometry();
}

void ChoiceChip::setChoices(QMenu& menu)
{
    delete m_menu;
    m_menu = &menu;
    setMenu(m_menu);
}

void ChoiceChip::setFlat(bool flat)
{
    m_isFlat = flat;
    updateGeometry();
    update();
}

int ChoiceChip::padding() const
{
    return m_isFlat ? 0 : kPadding;
}

int ChoiceChip::leastHeight() const
{
    return m_isFlat ? fontMetrics().height() + 4 : chipHeight(*this);
}

QFont ChoiceChip::valueFont() const
{
    QFont strong = font();
    if (m_isFlat) {
        strong.setPointSizeF(strong.pointSizeF() * 0.92);
        return strong;
    }
    strong.setWeight(QFont::DemiBold);
    return strong;
}

int ChoiceChip::captionWidth() const
{
    return m_caption.isEmpty() ? 0 : fontMetrics().horizontalAdvance(m_caption) + kCaptionGap;
}

int ChoiceChip::valueWidth(int characters) const
{
    const QFontMetrics metrics(valueFont());
    return std::min(metrics.horizontalAdvance(m_value) + 2,
                    metrics.horizontalAdvance(QLatin1Char('n')) * characters);
}

QSize ChoiceChip::sizeHint() const
{
    return {2 * padding() + captionWidth() + valueWidth(m_maxCharacters) + kArrow + 4,
            leastHeight()};
}

// The caption is dropped before the value is elided.
QSize ChoiceChip::minimumSizeHint() const
{
    return m_minCharacters == m_maxCharacters
        ? sizeHint()
        : QSize(2 * padding() + valueWidth(m_minCharacters) + kArrow + 4, leastHeight());
}

void ChoiceChip::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = systemTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool isPointed = underMouse() || isDown();
    if (!m_isFlat || hasFocus() || isPointed) {
        painter.setPen(hasFocus()     ? QPen(theme.accent, 1.5)
                           : m_isFlat ? QPen(Qt::NoPen)
                                      : QPen(theme.fieldBorder));
        painter.setBrush(isPointed ? theme.fieldHover : theme.field);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    }

    const Qt::LayoutDirection layout = layoutDirection();
    const QRect inside = rect().adjusted(padding(), 0, -padding(), 0);
    const bool captioned = width() >= sizeHint().width();
    if (captioned) {
        painter.setPen(theme.mutedText);
        painter.drawText(
            inside, textFlags(Qt::AlignLeft | Qt::AlignVCenter, m_caption, layout), m_caption);
    }
    const int left = inside.left() + (captioned ? captionWidth() : 0);
    const QRect value(left, 0, inside.right() - kArrow - 4 - left + 1, height());
    painter.setFont(valueFont());
    painter.setPen(isEnabled() && !m_isFlat ? theme.text : theme.mutedText);
    const Qt::Alignment side = captioned ? Qt::AlignRight : Qt::AlignLeft;
    painter.drawText(QStyle::visualRect(layout, rect(), value),
                     textFlags(side | Qt::AlignVCenter, m_value, layout),
                     painter.fontMetrics().elidedText(m_value, Qt::ElideRight, value.width() + 1));
    const QRectF arrow(inside.right() - kArrow + 1, 0, kArrow, height());
    drawArrow(painter, mirroredIn(layout, rect(), arrow), theme.mutedText);
}

NumberChip::NumberChip(const QString& name,
                       const QString& caption,
                       const QString& accessibleName,
                       QWidget* parent)
    : QFrame(parent)
    , m_box(new ValueBox(this))
{
    setObjectName(QStringLiteral("bar.%1.chip").arg(name));
    setAccessibleName(accessibleName);
    setProperty("chip", true);
    setFixedHeight(chipHeight(*this));
    m_box->setObjectName(QStringLiteral("bar.") + name);
    m_box->setAccessibleName(accessibleName);
    m_box->setFrame(false);
    QFont strong = m_box->font();
    strong.setWeight(QFont::DemiBold);
    m_box->setFont(strong);
    auto* label = new QLabel(caption, this);
    label->setObjectName(QStringLiteral("bar.%1.label").arg(name));
    label->setAccessibleName(accessibleName);
    label->setProperty("role", QStringLiteral("muted"));
    label->setBuddy(m_box);
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(kPadding, 0, 4, 0);
    line->setSpacing(2);
    line->addWidget(label);
    line->addWidget(m_box);
}

void NumberChip::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        setFixedHeight(chipHeight(*this));
    }
}

} // namespace flopsmith::ui

#include "moc_chip.cpp"
