// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace flopsmith::app {

/// The columns of the terminal that an open file is, such as STDOUT_FILENO; 0: it is none.
std::size_t terminalColumns(int descriptor);

} // namespace flopsmith::app
