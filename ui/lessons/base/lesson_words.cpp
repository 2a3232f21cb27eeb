// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/base/lesson_words.h"

#include <algorithm>
#include <array>

namespace flopsmith::ui {
namespace {

LessonWords english()
{
    return {
        .language = "en",
        .back = QStringLiteral("Back"),
        .reveal = QStringLiteral("Reveal"),
        .revealKey = QStringLiteral("R; before a prediction only with Shift"),
        .why = QStringLiteral("Why?"),
        .lab = QStringLiteral("Let them learn"),
        .labTip =
            QStringLiteral("Train the FFNs beside each other, live; Esc leads back to the lesson"),
        .next = QStringLiteral("Next"),
        .end = QStringLiteral("Back to your design"),
        .place = QStringLiteral("%1 of %2"),
        .firstVote = QStringLiteral("First vote"),
        .firstVoteExample = QStringLiteral("First vote: A 12 B 30"),
        .secondVote = QStringLiteral("Second vote"),
        .voteTip = QStringLiteral("How many chose each option: A 12 B 30 C 4"),
        .vote = QStringLiteral("Vote %1: %2"),
        .right = QStringLiteral("Yes, that is right."),
        .factorAway = QStringLiteral("A factor of %1 away."),
        .wrong = QStringLiteral("Not this time; here is what is counted."),
        .thanks = QStringLiteral("That was the lesson. Thank you for looking."),
        .score = QStringLiteral("%1 of %2 predictions were right."),
        .mostRight = QStringLiteral("You know where the costs are."),
        .fewRight = QStringLiteral("These costs surprise most people: now you know them."),
        .timeIsUp = QStringLiteral("Time is up"),
        .takeNumber = QStringLiteral("That is my answer"),
        .typeNumber = QStringLiteral("or type it: %1"),
        .numberAboveZero = QStringLiteral("The number must be above 0."),
        .numberPredicted = QStringLiteral("%1; you said %2"),
        .takeDesign = QStringLiteral("That is my design"),
        .designNotYet = QStringLiteral("○ not yet"),
        .designDoes = QStringLiteral("● this design does it"),
        .takeOrder = QStringLiteral("That is my order"),
        .orderHint = QStringLiteral("Drag them, or press Alt+Up and Alt+Down"),
    };
}

LessonWords german()
{
    return {
        .language = "de",
        .back = QStringLiteral("Zurück"),
        .reveal = QStringLiteral("Auflösen"),
        .revealKey = QStringLiteral("R; vor einer Vorhersage nur mit Umschalt"),
        .why = QStringLiteral("Warum?"),
        .lab = QStringLiteral("Lernen lassen"),
        .labTip =
            QStringLiteral("Die FFNs nebeneinander trainieren, live; Esc führt zur Lektion zurück"),
        .next = QStringLiteral("Weiter"),
        .end = QStringLiteral("Zurück zum eigenen Entwurf"),
        .place = QStringLiteral("%1 von %2"),
        .firstVote = QStringLiteral("Erste Abstimmung"),
        .firstVoteExample = QStringLiteral("Erste Abstimmung: A 12 B 30"),
        .secondVote = QStringLiteral("Zweite Abstimmung"),
        .voteTip = QStringLiteral("Wie viele jede Antwort gewählt haben: A 12 B 30 C 4"),
        .vote = QStringLiteral("Abstimmung %1: %2"),
        .right = QStringLiteral("Ja, das stimmt."),
        .factorAway = QStringLiteral("Um einen Faktor von %1 daneben."),
        .wrong = QStringLiteral("Diesmal nicht; so wird gezählt."),
        .thanks = QStringLiteral("Das war die Lektion. Danke fürs Zuschauen."),
        .score = QStringLiteral("%1 von %2 Vorhersagen waren richtig."),
        .mostRight = QStringLiteral("Sie wissen, wo die Kosten liegen."),
        .fewRight = QStringLiteral("Diese Kosten überraschen die meisten: jetzt kennen Sie sie."),
        .timeIsUp = QStringLiteral("Die Zeit ist um"),
        .takeNumber = QStringLiteral("Das ist meine Antwort"),
        .typeNumber = QStringLiteral("oder eintippen: %1"),
        .numberAboveZero = QStringLiteral("Die Zahl muss größer als 0 sein."),
        .numberPredicted = QStringLiteral("%1; Ihre Vorhersage war %2"),
        .takeDesign = QStringLiteral("Das ist mein Entwurf"),
        .designNotYet = QStringLiteral("○ noch nicht"),
        .designDoes = QStringLiteral("● dieser Entwurf erfüllt es"),
        .takeOrder = QStringLiteral("Das ist meine Reihenfolge"),
        .orderHint = QStringLiteral("Ziehen oder mit Alt+Auf und Alt+Ab verschieben"),
    };
}

} // namespace

const LessonWords& lessonWordsIn(std::string_view language)
{
    static const std::array<LessonWords, 2> all{english(), german()};
    const std::string_view base = language.substr(0, language.find('_'));
    const auto* found = std::find_if(
        all.begin(), all.end(), [&](const LessonWords& words) { return words.language == base; });
    return found == all.end() ? all.front() : *found;
}

} // namespace flopsmith::ui
