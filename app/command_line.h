// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window_request.h"

namespace flopsmith::app {

/// Opens the window and returns the exit code.
using WindowStarter = int (*)(const WindowRequest& request, int argc, char** argv);

/// Runs the command line: a headless command, or the window. Returns the exit code.
int run(int argc, char** argv, WindowStarter startWindow);

} // namespace flopsmith::app
