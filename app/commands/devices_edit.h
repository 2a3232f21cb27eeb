// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/arguments/argument_parser.h"
#include "app/terminal/outcome.h"

namespace flopsmith::app {

/// devices add NAME -- COMMAND… and devices remove NAME, below the command that lists them.
void addDeviceEditing(ArgumentParser devices, Command& chosen);

} // namespace flopsmith::app
