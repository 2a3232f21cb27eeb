// SPDX-License-Identifier: MIT
#pragma once

#include "core/study/compare/stack_alignment.h"

#include <vector>

namespace flopsmith {

const Block& blockOfRun(const Scenario& scenario, int run);

/// In what the blocks of two runs differ: the variants, then the fields that both blocks have. Those
/// of muted parts count for nothing.
std::vector<BlockDifference> blockDifferences(const Scenario& a,
                                              int runOfA,
                                              const Scenario& b,
                                              int runOfB);

} // namespace flopsmith
