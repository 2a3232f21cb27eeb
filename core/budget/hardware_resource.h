// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace flopsmith {

/// The text of resources/hardware/hardware.json, part of the program since the build.
std::string_view hardwareResource();

} // namespace flopsmith
