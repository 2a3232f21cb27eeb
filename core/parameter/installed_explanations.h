// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/installed_text.h"

#include <vector>

namespace flopsmith {

/// All files of resources/explanations.
const std::vector<InstalledText>& installedExplanations();

} // namespace flopsmith
