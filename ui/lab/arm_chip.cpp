// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/arm_chip.h"

#include "ui/charts/lab/lab_painter.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyle>

#include <algorithm>

namespace flopsmith::ui {
namespace {

constexpr int kMinChipHeight = 26;
constexpr int kChipPadding = 9;
constexpr int kSampleWidth = 18;
constexpr int kChipGap = 7;
constexpr int kCross = 8;

} // namespace

ArmChip::ArmChip(const LabSeries& series, const QString& help, QWidget* parent)
    : QAbstractButton(parent)
    , m_series(series)
    , m_arm(toQt(series.name))
{
    setObjectName(QStringLiteral("lab.arm.") + m_arm);
    setText(m_arm);
    setFocusPolicy(isChosen() ? Qt::StrongFocus : Qt::NoFocus);
    setAccessibleName(isChosen() ? tr("Arm %1").arg(m_arm) : tr("Control %1").arg(m_arm));
    QStringList lines;
    if (!help.isEmpty()) {
        lines << help;
    }
    if (isChosen()) {
        lines << tr("Delete removes it");
    }
    setToolTip(lines.join(QLatin1Char('\n')));
    setAccessibleDescription(toolTip());
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QSize ArmChip::sizeHint() const
{
    const int cross = isChosen() ? kChipGap + kCross : 0;
    return {2 * kChipPadding + kSampleWidth + kChipGap + fontMetrics().horizontalAdvance(m_arm) + 1
                + cross,
            std::max(kMinChipHeight, fontMetrics().height() + 8)};
}

QRect ArmChip::crossPlace() const
{
    const QRect place(width() - kChipPadding - kCross, (height() - kCross) / 2, kCross, kCross);
    return QStyle::visualRect(layoutDirection(), rect(), place);
}

void ArmChip::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = systemTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(hasFocus() ? QPen(theme.accent, 1.5) : QPen(theme.fieldBorder));
    painter.setBrush(!isChosen()        ? QBrush(Qt::NoBrush)
                         : underMouse() ? QBrush(theme.fieldHover)
                                        : QBrush(theme.field));
    const double radius = height() / 2.0;
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);

    const auto mirrored = [this](const QRect& place) {
        return QStyle::visualRect(layoutDirection(), rect(), place);
    };
    const QRect sample = mirrored({kChipPadding, 0, kSampleWidth, height()});
    painter.setPen(labPen(m_series, theme));
    const double middle = height() / 2.0;
    painter.drawLine(QPointF(sample.left(), middle), QPointF(sample.right() + 1, middle));
    painter.setPen(isChosen() ? theme.text : theme.mutedText);
    const int left = kChipPadding + kSampleWidth + kChipGap;
    painter.drawText(
        mirrored({left, 0, width() - left, height()}),
        static_cast<int>(Qt::AlignVCenter)
            | static_cast<int>(QStyle::visualAlignment(layoutDirection(), Qt::AlignLeft)),
        m_arm);
    if (isChosen()) {
        painter.setPen(
            QPen(underMouse() ? theme.text : theme.mutedText, 1.4, Qt::SolidLine, Qt::RoundCap));
        const QRectF cross = QRectF(crossPlace()).adjusted(0.5, 0.5, -0.5, -0.5);
        painter.drawLine(cross.topLeft(), cross.bottomRight());
        painter.drawLine(cross.bottomLeft(), cross.topRight());
    }
}

void ArmChip::mouseReleaseEvent(QMouseEvent* event)
{
    const QRect near = crossPlace().adjusted(-kChipGap, -height(), kChipPadding, height());
    if (isChosen() && event->button() == Qt::LeftButton && near.contains(event->pos())) {
        Q_EMIT removed();
        return;
    }
    QAbstractButton::mouseReleaseEvent(event);
}

void ArmChip::keyPressEvent(QKeyEvent* event)
{
    if (isChosen() && (event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace)) {
        Q_EMIT removed();
        return;
    }
    QAbstractButton::keyPressEvent(event);
}

} // namespace flopsmith::ui

#include "moc_arm_chip.cpp"
