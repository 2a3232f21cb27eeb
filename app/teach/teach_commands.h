// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/arguments/argument_parser.h"
#include "app/terminal/outcome.h"

namespace flopsmith::app {

// The commands for teaching.

/// "lesson": lists, checks, runs and begins lessons, and writes handouts.
void addLesson(ArgumentParser program, Command& chosen);

/// "exercise": lists, checks, releases and grades exercises.
void addExercise(ArgumentParser program, Command& chosen);

} // namespace flopsmith::app
