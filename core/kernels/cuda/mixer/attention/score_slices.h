// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/mixer/attention/score_products.h"

#include <vector>

// Attention computed slice by slice, so that only one slice of scores is in memory at a time.
namespace flopsmith::cuda {

/// Some sequences, some heads of one sequence, or some queries of one head, always with all their
/// keys. A slice is computed like a smaller attention whose operands start at an offset.
struct ScoreSlice
{
    CoreSize size;
    std::int64_t firstSequence = 0;
    int firstHead = 0;
    int firstQuery = 0;

    /// Whether it is the first slice of its heads: sums over sequences and queries start here.
    bool isFirstOfHeads() const { return firstSequence == 0 && firstQuery == 0; }
};

/// Slices of at most `maxScores` scores, or of one row if a row has more. No slice is larger in any
/// dimension than the first.
std::vector<ScoreSlice> scoreSlices(const CoreSize& size, std::int64_t maxScores);

/// A slice's operands as views into those of the whole attention of `size`; `width` features per
/// query head.
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
