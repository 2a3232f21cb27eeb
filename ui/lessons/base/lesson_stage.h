// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teach/play/lesson_view.h"

#include <QStringList>

namespace flopsmith::ui {

/// The stage of a lesson: it shows the lesson's pages, designs and parameters. A lesson refers to
/// them by ids and knows none of its widgets.
class LessonStage
{
public:
    LessonStage() = default;
    LessonStage(const LessonStage&) = delete;
    LessonStage& operator=(const LessonStage&) = delete;
    virtual ~LessonStage() = default;

    /// Shows design, lens, page, selection, zoom and ghosts of a step.
    virtual void showView(const LessonView& view) = 0;

    /// The parameters that can be moved now, by their keys; empty while a prediction is expected.
    virtual void setParameters(const QStringList& keys) = 0;

    /// Whether the design can be built freely.
    virtual void setBuilding(bool on) = 0;

    /// The present design, including the person's changes.
    virtual const Scenario& design() const = 0;
};

} // namespace flopsmith::ui
