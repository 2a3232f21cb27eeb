// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace flopsmith::ui {

/// Commands of programs that train a run each, one for each core: flopsmith-train beside this
/// program.
std::vector<std::vector<std::string>> ownWorkers();

/// This machine with so many workers, as the command line names it.
std::string machineName(int workers);

} // namespace flopsmith::ui
