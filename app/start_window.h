// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window_request.h"

namespace flopsmith::app {

/// Opens the window and runs it until it is closed. Without a display, or for a FILE that is not
/// there, one line on standard error; what is wrong in a FILE that is there is shown in the window.
int startWindow(const WindowRequest& asked, int argc, char** argv);

} // namespace flopsmith::app
