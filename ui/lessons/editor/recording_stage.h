// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teach/play/lesson_view.h"

#include <QObject>

namespace flopsmith::ui {

/// A window in which the steps of a lesson are recorded by using it. The editor knows none of its
/// widgets: it sets and reads views.
class RecordingStage : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// Puts the window's own state aside until end(), which restores it.
    virtual void begin() = 0;
    virtual void end() = 0;
    virtual bool isOn() const = 0;

    /// Shows a view between begin() and end(); viewChanged() does not follow.
    virtual void show(const LessonView& view) = 0;

    /// The window's present view.
    virtual LessonView view() const = 0;

Q_SIGNALS:
    /// The person has changed the window's view.
    void viewChanged();

    /// The window needs its own design and has ended by itself.
    void ended();
};

} // namespace flopsmith::ui
