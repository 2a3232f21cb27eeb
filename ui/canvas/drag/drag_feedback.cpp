// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/drag/drag_feedback.h"

#include "ui/canvas/drag/drag_overlay.h"
#include "ui/canvas/drag/drag_painter.h"
#include "ui/theme/theme.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QScrollBar>

namespace flopsmith::ui {
namespace {

constexpr qreal kFaintRow = 0.35; // picked up, or no place to land

} // namespace

DragFeedback::DragFeedback(StackSurface& surface, DropLight& light)
    : m_surface(surface)
    , m_light(light)
    , m_gap(surface)
    , m_scroller(surface)
    , m_overlay(new DragOverlay(*surface.viewport(), [this](QPainter& painter) {
        if (m_gesture != nullptr) {
            painter.setFont(m_surface.font());
            m_gesture->paintOverlay(painter, systemTheme());
        }
    }))
{
    connect(&m_gap, &LandingGap::moved, this, [this] {
        m_surface.viewport()->update();
        m_overlay->update();
    });
    connect(surface.verticalScrollBar(), &QScrollBar::valueChanged, this, [this] {
        if (m_gesture != nullptr) {
            m_gesture->scrolled();
        }
    });
}

void DragFeedback::begin(DragGesture& gesture)
{
    if (m_gesture == &gesture) {
        return;
    }
    if (m_gesture != nullptr) {
        m_gesture->cancel();
    }
    m_gesture = &gesture;
    Q_EMIT activeChanged();
    m_overlay->cover();
}

void DragFeedback::end()
{
    m_gesture = nullptr;
    m_scroller.stop();
    m_gap.reset();
    m_overlay->hide();
    m_light.set(std::nullopt);
    Q_EMIT activeChanged();
}

void DragFeedback::openGap(double line)
{
    const double scale = m_surface.transform().m22();
    m_gap.open(line, (QFontMetricsF(m_surface.font()).height() + 10.0) / scale);
}

void DragFeedback::update()
{
    m_overlay->cover();
    m_overlay->update();
    m_surface.viewport()->update();
}

void DragFeedback::announce(const QString& sentence)
{
    m_overlay->announce(sentence);
}

void DragFeedback::paintParted(QPainter& painter,
                               int row,
                               const QRectF& place,
                               const std::function<void()>& paint) const
{
    if (m_gesture == nullptr) {
        paint();
        return;
    }
    const qreal before = painter.opacity();
    painter.setOpacity(m_gesture->isFaint(row) ? kFaintRow : before);
    m_gap.paintParted(painter, place, paint);
    painter.setOpacity(before);
}

bool DragFeedback::paintGapWith(QPainter& painter, const QString& caption, const Theme& theme) const
{
    const QRectF wide = m_surface.geometryOfStack().dropZone;
    const auto gap = m_gap.shown(wide.left(), wide.width());
    if (gap) {
        paintGap(painter, m_surface.mapFromScene(*gap).boundingRect(), caption, theme);
    }
    return gap.has_value();
}

} // namespace flopsmith::ui

#include "moc_drag_feedback.cpp"
