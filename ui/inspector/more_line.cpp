// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/more_line.h"

#include "ui/theme/reading_order.h"
#include "ui/theme/theme.h"

#include <QPainter>

namespace flopsmith::ui {
namespace {

constexpr int kLineMargin = 4;

} // namespace

MoreLine::MoreLine(QWidget* parent)
    : QAbstractButton(parent)
{
    setObjectName(QStringLiteral("inspector.more"));
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    show({}, true);
}

void MoreLine::show(const QStringList& folded, bool isOpen)
{
    const QString text = isOpen ? tr("\u25BE fewer: those that matter most")
                                : tr("\u25B8 %n more: ", nullptr, static_cast<int>(folded.size()))
            + folded.join(QStringLiteral(", "));
    if (text == this->text()) {
        return;
    }
    setText(text);
    setAccessibleName(isOpen ? tr("Show fewer parameters") : tr("Show all parameters"));
    setToolTip(isOpen ? QString() : folded.join(QStringLiteral(", ")));
    update();
}

QSize MoreLine::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(text()), fontMetrics().height() + 2 * kLineMargin};
}

QSize MoreLine::minimumSizeHint() const
{
    return {0, sizeHint().height()};
}

void MoreLine::paintEvent(QPaintEvent* /*event*/)
{
    const Theme& theme = systemTheme();
    QPainter painter(this);
    painter.setPen(underMouse() || hasFocus() ? theme.accent : theme.mutedText);
    painter.drawText(rect(),
                     textFlags(Qt::AlignLeft | Qt::AlignVCenter, text(), layoutDirection())
                         | Qt::TextSingleLine,
                     fontMetrics().elidedText(text(), Qt::ElideRight, width()));
}

} // namespace flopsmith::ui

#include "moc_more_line.cpp"
