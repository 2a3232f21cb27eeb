// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_sentences.h"

#include "core/base/text.h"
#include "core/teach/play/localized_number.h"
#include "ui/lessons/base/lesson_words.h"
#include "ui/lessons/questions/question_widget.h"

#include <cmath>

namespace flopsmith::ui {

QString stepText(const LessonPlay& play, int step)
{
    const LessonStep& asked = play.stepAt(step);
    const Say* say = asked.say();
    return lessonText(play, say != nullptr ? say->text : asked.ask()->text, step);
}

QString verdictText(const LessonPlay& play)
{
    const std::optional<PredictionScore> score = play.score();
    if (!score) {
        return {};
    }
    const LessonWords& words = lessonWordsIn(play.language());
    if (score->isRight) {
        return words.right;
    }
    if (play.current().ask()->kind == QuestionKind::number) {
        const ThreeDigits digits;
        return words.factorAway.arg(QString::fromStdString(
            localizedNumber(siText(std::exp2(score->distance)), play.language())));
    }
    return words.wrong;
}

QString scoreText(const LessonPlay& play)
{
    const LessonPlay::Total total = play.total();
    const LessonWords& words = lessonWordsIn(play.language());
    if (total.answered == 0) {
        return words.thanks;
    }
    const QString score = words.score.arg(total.right).arg(total.answered);
    return score + QLatin1Char(' ')
        + (2 * total.right >= total.answered ? words.mostRight : words.fewRight);
}

} // namespace flopsmith::ui
