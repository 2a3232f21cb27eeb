// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teach/play/lesson_play.h"

#include <QObject>

QT_BEGIN_NAMESPACE
class QWidget;
QT_END_NAMESPACE

namespace flopsmith::ui {

class LessonStage;
class QuestionWidget;
class StepSheet;

/// The question of the step that is shown, if it has one: a widget of its kind on the sheet.
class StepQuestion : public QObject
{
    Q_OBJECT

public:
    StepQuestion(StepSheet& sheet, LessonStage& stage, QWidget& panel);

    /// Shows the question of the play's current step in place of the one before.
    void show(const LessonPlay& play);
    void remove();

    /// The key of a number from 1.
    void press(int number);

    /// These do nothing without a question.
    void reveal(const LessonPlay& play);
    void designChanged();

Q_SIGNALS:
    void predicted(const Prediction& prediction);
    void withdrawn();

private:
    StepSheet& m_sheet;
    LessonStage& m_stage;
    QWidget& m_panel;
    QuestionWidget* m_widget = nullptr;
};

} // namespace flopsmith::ui
