// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/mixer/attention/score_products.h"

#include <vector>

// Attention computed slice by slice, so that the scores of one slice only are in memory.
namespace flopsmith::cuda {

/// Attention of some sequences, of some heads of one sequence, or of some queries of one head;
/// always with all their keys. It is an attention of its own, whose operands begin elsewhere.
struct ScoreSlice
{
    CoreSize size;
    std::int64_t firstSequence = 0;
    int firstHead = 0;
    int firstQuery = 0;

    /// Whether no slice before it has the same heads: sums over sequences and queries start here.
    bool isFirstOfHeads() const { return firstSequence == 0 && firstQuery == 0; }
};

/// Slices of at most `maxScores` scores, or of one row if a row has more. No slice is larger in any
/// dimension than the first.
std::vector<ScoreSlice> scoreSlices(const CoreSize& size, std::int64_t maxScores);

/// What a slice reads and writes, from what the whole attention of `size` does; `width` features
/// per head of queries.
Operand sliceOfQueries(const Operand& rows,
                       const CoreSize& size,
                       const ScoreSlice& slice,
                       int width);
Destination sliceOfQueries(const Destination& rows,
                           const CoreSize& size,
                           const ScoreSlice& slice,
                           int width);
MatrixRows sliceOfKeys(const MatrixRows& rows, const CoreSize& size, const ScoreSlice& slice);
ScoreSteps sliceOfSteps(const ScoreSteps& steps, const ScoreSlice& slice);
CoreGradients sliceOfGradients(const CoreGradients& to,
                               const CoreSize& size,
                               const ScoreSlice& slice);

} // namespace flopsmith::cuda
