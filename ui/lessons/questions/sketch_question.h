// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lessons/questions/question_widget.h"
#include "ui/lessons/questions/sketch_pad.h"

QT_BEGIN_NAMESPACE
class QVBoxLayout;
QT_END_NAMESPACE

namespace flopsmith::ui {

/// Curves to be drawn on empty axes before the true ones are shown.
class SketchQuestion : public QuestionWidget
{
    Q_OBJECT

public:
    SketchQuestion(const LessonPlay& play, QWidget* parent);

    void reveal(const LessonPlay& play) override;
    SketchPad& pad() { return *m_pad; }

private:
    void addCurves(const LessonPlay& play, QVBoxLayout& column);

    SketchPad* m_pad;
};

/// Whole decades around the true curves, with space for wrong predictions.
DecadeAxis sketchRange(const Ask& ask, const LessonContext& context);

} // namespace flopsmith::ui
