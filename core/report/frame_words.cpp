// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/frame_words.h"

#include <algorithm>
#include <array>

namespace flopsmith {
namespace {

constexpr std::array<FrameWords, 2> kFrameWords{
    {{.language = "en",
      .question = "Question",
      .answer = "Answer",
      .answers = "Answers",
      .step = "Step",
      .minutes = "minutes",
      .anyDesign = "any design for which this holds",
      .numbers = "Numbers",
      .notes = "For the lecturer",
      .measured = "The window shows times of your own machine here; paper has none.",
      .start = "The design to start from",
      .openCode = "Flopsmith opens this design: scan the picture, or paste the code.",
      .tooLarge = "This design is too large for a share code on paper; save it as a file.",
      .with = "with"},
     {.language = "de",
      .question = "Frage",
      .answer = "Antwort",
      .answers = "Antworten",
      .step = "Schritt",
      .minutes = "Minuten",
      .anyDesign = "jeder Entwurf, f\xC3\xBCr den dies gilt",
      .numbers = "Zahlen",
      .notes = "F\xC3\xBCr Lehrende",
      .measured = "Hier zeigt das Fenster Zeiten des eigenen Rechners; auf Papier gibt es keine.",
      .start = "Der Entwurf zum Anfangen",
      .openCode = "Flopsmith \xC3\xB6"
                  "ffnet diesen Entwurf: das Bild scannen oder den Code einf\xC3\xBCgen.",
      .tooLarge = "Dieser Entwurf ist zu gro\xC3\x9F f\xC3\xBCr einen Code auf Papier; er wird "
                  "als Datei gesichert.",
      .with = "mit"}}};

} // namespace

const FrameWords& frameWordsIn(std::string_view language)
{
    const auto* found =
        std::find_if(kFrameWords.begin(), kFrameWords.end(), [&](const FrameWords& words) {
            return words.language == language;
        });
    return found == kFrameWords.end() ? kFrameWords.front() : *found;
}

} // namespace flopsmith
