// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lessons/questions/question_widget.h"

QT_BEGIN_NAMESPACE
class QLabel;
class QPushButton;
QT_END_NAMESPACE

namespace flopsmith::ui {

struct LessonWords;

/// A design that a person builds on the stage: checks at every change whether it meets the
/// predicate, and takes it as the answer.
class BuildQuestion : public QuestionWidget
{
    Q_OBJECT

public:
    BuildQuestion(const LessonPlay& play, LessonStage& stage, QWidget* parent);

    void designChanged() override;
    void reveal(const LessonPlay& play) override;

private:
    void judge(const Scenario& design);

    LessonStage& m_stage;
    std::string m_predicate;
    LessonContext m_context;
    QLabel* m_state;
    const LessonWords& m_words;
    QPushButton* m_take;
};

} // namespace flopsmith::ui
