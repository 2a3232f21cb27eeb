// SPDX-License-Identifier: MIT
#pragma once

#include "core/study/compare/stack_alignment.h"

#include <vector>

namespace flopsmith {

const Block& blockOfRun(const Scenario& scenario, int run);

/// The differences between the blocks of two runs: the variants, then the fields that both blocks
/// have. Fields of muted parts are ignored.
std::vector<BlockDifference> blockDifferences(const Scenario& a,
                                              int runOfA,
                                              const Scenario& b,
                                              int runOfB);

} // namespace flopsmith
