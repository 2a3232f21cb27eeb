// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teach/play/lesson_view.h"

#include <QStringList>

namespace flopsmith::ui {

/// What a lesson is played on: somebody shows its pages, designs and parameters. A lesson names them
/// by ids and knows no widgets of theirs.
class LessonStage
{
public:
    LessonStage() = default;
    LessonStage(const LessonStage&) = delete;
    LessonStage& operator=(const LessonStage&) = delete;
    virtual ~LessonStage() = default;

    /// Shows design, lens, page, selection, zoom and ghosts of a step.
    virtual void showView(const LessonView& view) = 0;

    /// The parameters that can be moved now, by their keys; none while a prediction is awaited.
    virtual void setParameters(const QStringList& keys) = 0;

    /// Whether the design can be built freely.
    virtual void setBuilding(bool on) = 0;

    /// The design as it is now, after what the person has moved.
    virtual const Scenario& design() const = 0;
};

} // namespace flopsmith::ui
