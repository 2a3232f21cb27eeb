// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_sentences.h"

#include "core/base/text.h"
#include "ui/lessons/question_widget.h"

#include <QCoreApplication>

#include <cmath>

namespace flopsmith::ui {
namespace {

QString tr(const char* sentence)
{
    return QCoreApplication::translate("Lesson", sentence);
}

} // namespace

QString stepText(const LessonPlay& play, const LessonStep& step)
{
    const Say* say = step.say();
    return lessonText(play, say != nullptr ? say->text : step.ask()->text);
}

QString verdictText(const LessonPlay& play)
{
    const std::optional<PredictionScore> score = play.score();
    if (!score) {
        return {};
    }
    if (score->isRight) {
        return tr("Yes, that is right.");
    }
    if (play.current().ask()->kind == QuestionKind::number) {
        const ThreeDigits digits;
        return tr("A factor of %1 away.")
            .arg(QString::fromStdString(siText(std::exp2(score->distance))));
    }
    return tr("Not this time; here is what is counted.");
}

QString scoreText(const LessonPlay& play)
{
    const LessonPlay::Total total = play.total();
    if (total.answered == 0) {
        return tr("That was the lesson. Thank you for looking.");
    }
    const QString score =
        tr("%1 of %2 predictions were right.").arg(total.right).arg(total.answered);
    return 2 * total.right >= total.answered
        ? tr("%1 You know where the costs are.").arg(score)
        : tr("%1 These costs surprise most people: now you know them.").arg(score);
}

} // namespace flopsmith::ui
