// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/terminal/outcome.h"

#include <CLI/CLI.hpp>

namespace flopsmith::app {

/// devices add NAME -- COMMAND… and devices remove NAME, below the command that lists them.
void addDeviceEditing(CLI::App& devices, Command& chosen);

} // namespace flopsmith::app
