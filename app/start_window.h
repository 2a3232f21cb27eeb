// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window_request.h"

namespace flopsmith::app {

/// Opens the window and runs it until it is closed. Without a display, or for a FILE that is none,
/// one line on standard error.
int startWindow(const WindowRequest& request, int argc, char** argv);

} // namespace flopsmith::app
