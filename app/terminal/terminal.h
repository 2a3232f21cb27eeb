// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace flopsmith::app {

/// The width of the terminal behind a file descriptor such as STDOUT_FILENO; 0 if it is no
/// terminal.
std::size_t terminalColumns(int descriptor);

} // namespace flopsmith::app
