// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teach/play/lesson_view.h"

#include <QObject>

namespace flopsmith::ui {

/// A window in which the steps of a lesson are recorded by using it. The editor knows no widgets of
/// it: it shows views and reads them.
class RecordingStage : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    /// Puts what the window shows aside until end(), which brings it back as it was.
    virtual void begin() = 0;
    virtual void end() = 0;
    virtual bool isOn() const = 0;

    /// Shows a view between begin() and end(); viewChanged() does not follow.
    virtual void show(const LessonView& view) = 0;

    /// What the window shows now.
    virtual LessonView view() const = 0;

Q_SIGNALS:
    /// Somebody has changed what the window shows.
    void viewChanged();

    /// The window needs its own design and has ended by itself.
    void ended();
};

} // namespace flopsmith::ui
