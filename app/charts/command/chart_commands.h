// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/arguments/argument_parser.h"
#include "app/terminal/outcome.h"

namespace flopsmith::app {

// The commands that draw.

/// "chart": one chart as a file.
void addChart(ArgumentParser program, Command& chosen);

/// "demo": every chart and table of one model in a folder.
void addDemo(ArgumentParser program, Command& chosen);

} // namespace flopsmith::app
