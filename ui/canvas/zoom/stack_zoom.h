// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/canvas/base/stack_surface.h"
#include "ui/canvas/zoom/zoom_actions.h"

#include <QObject>

QT_BEGIN_NAMESPACE
class QNativeGestureEvent;
class QWheelEvent;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// How large the rows of the stack are: 1 is 100 %. Texts keep their size (see stackGeometry()). It
/// is changed by actions, by the wheel with Ctrl, and by two fingers.
class StackZoom : public QObject
{
    Q_OBJECT

public:
    explicit StackZoom(StackSurface& surface);

    double factor() const { return m_factor; }
    ZoomActions& actions() { return m_actions; }

    /// The middle of the view stays where it is.
    void set(double factor);

    /// What is at this height of the viewport stays there.
    void setAbout(double factor, qreal height);

    /// Makes the whole stack, or the selected rows, as large as the view holds.
    void toFit();
    void toSelection();

    /// What the bars show, and the zoom if it is not 100 %.
    QString note() const;

    /// Zooms if Ctrl is held while the wheel turns, or if two fingers move apart.
    bool turn(const QWheelEvent& event);
    bool pinch(const QNativeGestureEvent& event);

Q_SIGNALS:
    void changed();

private:
    double fitting(const RowRange& rows, double most) const;

    StackSurface& m_surface;
    ZoomActions m_actions;
    double m_factor = 1.0;
};

} // namespace flopsmith::ui
