// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teach/play/lesson_play.h"

#include <QString>

namespace flopsmith::ui {

/// The votes in "A 12 B 30 C 4", in "a12, c4" or in "12 30 4", for so many options; options that
/// are not named have none. An empty text means no votes. The Error says what cannot be read.
Result<Tally> parsedTally(const QString& text, int options);

/// "A 12  B 30  C 4"; empty without votes.
QString tallyText(const Tally& tally);

/// "A" of option 1.
QString optionLetter(int option);

} // namespace flopsmith::ui
