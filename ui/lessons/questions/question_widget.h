// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teach/play/lesson_play.h"

#include <QWidget>

namespace flopsmith::ui {

class LessonStage;

/// A question of a lesson: input for a prediction, and display of the answer.
class QuestionWidget : public QWidget
{
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// The key of a number from 1 was pressed.
    virtual void press(int /*number*/) {}

    /// The design on the stage is another one.
    virtual void designChanged() {}

    /// Shows the answer next to the prediction, which is final from now on.
    virtual void reveal(const LessonPlay& play) = 0;

Q_SIGNALS:
    void predicted(const Prediction& prediction);
    void withdrawn(); ///< there is no prediction any more
};

/// For the current step of the play, which is a question. Shows an earlier prediction.
QuestionWidget* newQuestionWidget(const LessonPlay& play, LessonStage& stage, QWidget* parent);

/// The text of the current step, or of another one, by its key; if it cannot be computed, the reason.
QString lessonText(const LessonPlay& play, const std::string& key);
QString lessonText(const LessonPlay& play, const std::string& key, int step);

/// The texts of the question's options.
QStringList optionTexts(const LessonPlay& play);

} // namespace flopsmith::ui
