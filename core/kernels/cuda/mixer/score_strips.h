// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/mixer/scores.h"

namespace flopsmith::cuda {

constexpr int kStripQueries = 256;

/// The scores of some queries of some KV heads, which are counted over all sequences, with the keys
/// that at least one of the queries sees. Rows are [KV heads, group, queries].
struct Strip
{
    Index firstUnit = 0;
    Index units = 0;
    int firstQuery = 0;
    int queries = 0;
    int firstKey = 0;
    int endKey = 0;
    Index start = 0; ///< of its first row in the matrix
    Index headStep = 0; ///< from head to head in the matrix

    int keys() const { return endKey - firstKey; }
};

/// Strips of at most kStripQueries queries that together have every row of scores once. With
/// `scoresAtOnce` the matrix holds one strip, of so many scores at most or of one query of one KV
/// head; with 0 it holds all.
std::vector<Strip> scoreStrips(const ScoreSize& size, Index scoresAtOnce);

/// Elements of that matrix.
Index scoresInMemory(const ScoreSize& size, const std::vector<Strip>& strips);

/// What the products read and write. Each is one matrix, or for a strip those of its heads, at
/// addresses that the device holds: the heads that come first in their group, then the second ones.
struct ScoreOperands
{
    Operand scores;
    Operand probabilities;
    Operand gradients; ///< of probabilities; without a backward pass this and the rest are nothing
    Operand dScores;
    Operand q, k, v, out;
    Operand dQ, dK, dV, dOut;
};

std::vector<ScoreOperands> operandsOfStrips(Plan& plan,
                                            const ScoreSize& size,
                                            const std::vector<Strip>& strips,
                                            const ScoreOperands& all);

} // namespace flopsmith::cuda
