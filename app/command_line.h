// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window_request.h"

namespace flopsmith::app {

/// Opens the window and gives the exit code.
using WindowStarter = int (*)(const WindowRequest& request, int argc, char** argv);

/// Runs what the command line asks for: a headless command, or the window. Gives the exit code.
int run(int argc, char** argv, WindowStarter startWindow);

} // namespace flopsmith::app
