// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/model.h"

#include <vector>

namespace flopsmith {

// Blocks of a stack as people name them, and edits of exactly these. Blocks are numbers from 0.

/// Every n-th block of a stretch of the stack, or its first or last n.
struct BlockChoice
{
    enum class Kind { everyNth, first, last };

    Kind kind = Kind::everyNth;
    int n = 1;
    int from = 0; ///< of every n-th the first one, as a number from 1; 0: the n-th of the stretch

    bool operator==(const BlockChoice&) const = default;
};

/// The chosen blocks of the stretch, which is ascending. The Error is one sentence: n is less than
/// 1, or there are not so many blocks.
Result<std::vector<int>> chosenBlocks(const BlockChoice& choice, const std::vector<int>& stretch);

/// The blocks of the runs in all repeats of their patterns, ascending; without runs all blocks.
std::vector<int> blocksOfRuns(const Model& model, const std::vector<int>& runs);

/// Splits runs so that each run has only chosen blocks or none of them. Patterns with chosen blocks
/// are dissolved, and blocks that shared parameters with others get their own.
void separateBlocks(Model& model, const std::vector<int>& blocks);

/// Joins equal neighbours among the blocks first … last that are in no pattern, and groups what
/// repeats there: what separateBlocks() took apart becomes patterns again.
void regroupBlocks(Model& model, int first, int last);

/// The first and the last block of the patterns and runs that hold the given blocks (ascending, not
/// empty).
struct BlockStretch
{
    int first = 0;
    int last = 0;
};
BlockStretch unitsAround(const Model& model, const std::vector<int>& blocks);

} // namespace flopsmith
