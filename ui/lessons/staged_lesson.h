// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teach/play/lesson_play.h"

#include <map>
#include <optional>

namespace flopsmith::ui {

class LessonStage;

/// What the stage shows of a lesson: the view and the parameters of the current step, and designs
/// that the person builds. An unfinished design is there again when its step is.
class StagedLesson
{
public:
    explicit StagedLesson(LessonStage& stage)
        : m_stage(stage)
    {}

    /// Shows the current step of the play.
    void showStep(const LessonPlay& play);

    /// Shows the step after its reveal.
    void showAnswer(const LessonPlay& play);

    /// Saves the design that is built, before the stage shows another one.
    void saveBuilt();

    /// Forgets all built designs, because the steps are those of another version.
    void clear();

private:
    LessonStage& m_stage;
    std::map<int, Scenario> m_built; ///< unfinished designs by their step
    std::optional<int> m_building; ///< the shown step, while a design is built on it
};

} // namespace flopsmith::ui
