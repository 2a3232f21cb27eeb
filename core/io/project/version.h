// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace flopsmith {

/// Of this program, as project files, exports and --version name it: "0.1.0".
std::string_view programVersion();

} // namespace flopsmith
