// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/installed_text.h"

#include <vector>

namespace flopsmith {

/// All files of resources/lessons, by their names.
const std::vector<InstalledText>& installedLessons();

} // namespace flopsmith
