// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

#include <vector>

namespace flopsmith {

/// For each run after an edit, the run that it was, or -1 for a new one. Those at either end are the
/// same ones.
std::vector<int> runsTheyWere(const Model& before, const Model& after);

} // namespace flopsmith
