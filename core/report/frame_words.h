// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace flopsmith {

/// A document's fixed words, beside its own texts and figures.
struct FrameWords
{
    std::string_view language; ///< "de"
    std::string_view question;
    std::string_view answer;
    std::string_view answers;
    std::string_view step;
    std::string_view minutes;
    std::string_view anyDesign; ///< the answer where a value is no figure but a design that holds
    std::string_view numbers; ///< the heading over all values of a lesson
    std::string_view notes; ///< before the notes for the lecturer
    std::string_view measured; ///< in the place of a page that shows measured times
    std::string_view start; ///< the heading over the code of the design to start from
    std::string_view openCode; ///< how a share code is opened
    std::string_view tooLarge; ///< instead of a code that is too long for paper
    std::string_view with; ///< before the letters of a formula
};

/// In the language or, for one that is not there, in English.
const FrameWords& frameWordsIn(std::string_view language);

} // namespace flopsmith
