// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lecture/lecture_overlay.h"

#include <QEvent>
#include <QPainter>
#include <QPainterPath>

namespace flopsmith::ui {
namespace {

constexpr double kSpotRadius = 0.16; ///< of the parent's height
constexpr int kSpotShade = 165; ///< opacity of what is dark

} // namespace

LectureOverlay::LectureOverlay(QWidget& parent)
    : QWidget(&parent)
{
    setObjectName(QStringLiteral("lecture.overlay"));
    setAccessibleName(tr("Blank screen or spotlight"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    parent.installEventFilter(this);
    hide();
}

void LectureOverlay::toggle(Kind kind)
{
    m_kind = m_kind == kind ? Kind::none : kind;
    setGeometry(parentWidget()->rect());
    setVisible(m_kind != Kind::none);
    raise();
    update();
}

void LectureOverlay::moveTo(QPoint place)
{
    m_place = place;
    if (m_kind == Kind::spotlight) {
        update();
    }
}

bool LectureOverlay::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize) {
        setGeometry(parentWidget()->rect());
    }
    return QWidget::eventFilter(watched, event);
}

void LectureOverlay::paintEvent(QPaintEvent* /*event*/)
{
    QPainter painter(this);
    if (m_kind == Kind::blank) {
        painter.fillRect(rect(), Qt::black);
        return;
    }
    QPainterPath dark;
    dark.addRect(rect());
    dark.addEllipse(QPointF(m_place), kSpotRadius * height(), kSpotRadius * height());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillPath(dark, QColor(0, 0, 0, kSpotShade)); // odd-even: the circle stays clear
}

} // namespace flopsmith::ui

#include "moc_lecture_overlay.cpp"
