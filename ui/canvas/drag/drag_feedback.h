// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/base/drop_light.h"
#include "ui/canvas/base/stack_surface.h"
#include "ui/canvas/drag/edge_scroller.h"
#include "ui/canvas/drag/landing_gap.h"

#include <functional>

namespace flopsmith::ui {

class DragOverlay;
struct Theme;

/// Something that is dragged over the stack.
class DragGesture
{
public:
    virtual ~DragGesture() = default;

    virtual void cancel() = 0;

    /// The stack has scrolled below the pointer.
    virtual void scrolled() = 0;

    /// Whether a row is painted faint: it has been picked up, or nothing can land there.
    virtual bool isFaint(int row) const = 0;

    /// Paints above the rows, in the coordinates of the viewport.
    virtual void paintOverlay(QPainter& painter, const Theme& theme) const = 0;
};

/// What is shown during a gesture: the gap where something would land, faint and lit rows, a layer
/// above them. The stack scrolls while the pointer is at its edges.
class DragFeedback : public QObject
{
    Q_OBJECT

public:
    DragFeedback(StackSurface& surface, DropLight& light);

    /// The gesture begins or goes on; another one is cancelled.
    void begin(DragGesture& gesture);

    /// Nothing is dragged any more.
    void end();

    bool isActive() const { return m_gesture != nullptr; }

    /// Scrolls while the pointer is at this place of the viewport, if it is near an edge.
    void scrollAt(const QPoint& pointer) { m_scroller.follow(pointer); }

    void openGap(double line);
    void closeGap() { m_gap.close(); }
    DropLight& light() { return m_light; }

    /// Paints all that is shown anew.
    void update();

    /// Tells assistive tools what a drop would do now.
    void announce(const QString& sentence);

    /// Paints a row around the open gap.
    void paintParted(QPainter& painter,
                     int row,
                     const QRectF& place,
                     const std::function<void()>& paint) const;

    /// How far below its place a row may be painted.
    double mostShift() const { return m_gesture == nullptr ? 0.0 : LandingGap::kMaxShift; }

    /// Paints into the open gap what lands there; false if none is open.
    bool paintGapWith(QPainter& painter, const QString& caption, const Theme& theme) const;
    const LandingGap& gap() const { return m_gap; }

Q_SIGNALS:
    /// A gesture has begun or ended.
    void activeChanged();

private:
    StackSurface& m_surface;
    DropLight& m_light;
    LandingGap m_gap;
    EdgeScroller m_scroller;
    DragOverlay* m_overlay;
    DragGesture* m_gesture = nullptr; ///< that is under way
};

} // namespace flopsmith::ui
