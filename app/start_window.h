// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window_request.h"

namespace flopsmith::app {

/// Opens the window and runs it until it is closed. Without a display, or for a FILE that does not
/// exist, prints one line on standard error; errors in an existing FILE are shown in the window.
int startWindow(const WindowRequest& asked, int argc, char** argv);

} // namespace flopsmith::app
