// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string_view>

namespace flopsmith::ui {

/// The fixed words around a lesson's own texts: its buttons, hints and verdicts. %1 and %2 are
/// placeholders.
struct LessonWords
{
    std::string_view language; ///< "de"
    QString back;
    QString reveal;
    QString revealKey; ///< how the keyboard reveals
    QString why;
    QString lab; ///< leads to the training of the FFNs
    QString labTip;
    QString next;
    QString end; ///< leads back to the design that was open before the lesson
    QString place; ///< step and number of steps
    QString firstVote;
    QString firstVoteExample;
    QString secondVote;
    QString voteTip;
    QString vote; ///< number of the vote and its tally
    QString right;
    QString factorAway; ///< the factor between a prediction and the answer
    QString wrong;
    QString thanks; ///< after the last step, if no question was answered
    QString score; ///< right predictions and all of them
    QString mostRight;
    QString fewRight;
    QString timeIsUp;
    QString takeNumber;
    QString typeNumber; ///< an example of a number
    QString numberAboveZero;
    QString numberPredicted; ///< the answer and the prediction
    QString takeDesign;
    QString designNotYet;
    QString designDoes;
    QString takeOrder;
    QString orderHint;
};

/// In the language of a lesson ("de", "de_CH") or, where there are no words in it, in English.
const LessonWords& lessonWordsIn(std::string_view language);

} // namespace flopsmith::ui
