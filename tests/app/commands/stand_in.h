// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace flopsmith {

/// The command of a measuring program in shell that answers every measurement by `body`, at once;
/// see tests/core/protocol/workers.h.
std::vector<std::string> standInCommand(const std::string& body);

} // namespace flopsmith
