// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/questions/question_widget.h"

#include "ui/lessons/questions/build_question.h"
#include "ui/lessons/questions/choice_question.h"
#include "ui/lessons/questions/number_question.h"
#include "ui/lessons/questions/order_question.h"
#include "ui/lessons/questions/sketch_question.h"

namespace flopsmith::ui {

QuestionWidget* newQuestionWidget(const LessonPlay& play, LessonStage& stage, QWidget* parent)
{
    switch (play.current().ask()->kind) {
    case QuestionKind::choice: return new ChoiceQuestion(play, parent);
    case QuestionKind::number: return new NumberQuestion(play, parent);
    case QuestionKind::order: return new OrderQuestion(play, parent);
    case QuestionKind::sketch: return new SketchQuestion(play, parent);
    case QuestionKind::build: return new BuildQuestion(play, stage, parent);
    }
    return nullptr;
}

QString lessonText(const LessonPlay& play, const std::string& key)
{
    return lessonText(play, key, play.step());
}

QString lessonText(const LessonPlay& play, const std::string& key, int step)
{
    const Result<std::string> text = play.text(key, step);
    return QString::fromStdString(text ? *text : text.error().message);
}

QStringList optionTexts(const LessonPlay& play)
{
    QStringList all;
    for (const std::string& key : play.current().ask()->options) {
        all << lessonText(play, key);
    }
    return all;
}

} // namespace flopsmith::ui

#include "moc_question_widget.cpp"
