// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/terminal/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

namespace flopsmith::app {

std::size_t terminalColumns(int descriptor)
{
    winsize size{};
    const bool known = ::isatty(descriptor) != 0 && ::ioctl(descriptor, TIOCGWINSZ, &size) == 0;
    return known ? size.ws_col : 0;
}

} // namespace flopsmith::app
