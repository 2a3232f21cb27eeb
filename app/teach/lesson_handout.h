// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/arguments/argument_parser.h"
#include "app/terminal/outcome.h"

namespace flopsmith::app {

/// Adds "handout" below the command "lesson".
void addLessonHandout(ArgumentParser lesson, Command& chosen);

} // namespace flopsmith::app
