// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

#include <vector>

namespace flopsmith {

/// For each run after an edit, its run before, or -1 for a new one. Equal runs at either end are
/// matched.
std::vector<int> runsTheyWere(const Model& before, const Model& after);

} // namespace flopsmith
