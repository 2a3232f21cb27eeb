// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/mixer/scores.h"

#include <array>
#include <functional>
#include <map>

namespace flopsmith::cuda {

constexpr int kStripQueries = 256;

/// The scores of some queries of some KV heads, which are counted over all sequences, with the keys
/// that at least one of the queries sees. Rows are [KV heads, group, queries].
struct Strip
{
    std::int64_t firstUnit = 0;
    std::int64_t units = 0;
    int firstQuery = 0;
    int queries = 0;
    int firstKey = 0;
    int endKey = 0;
    std::int64_t start = 0; ///< of its first row in the matrix
    std::int64_t headStep = 0; ///< from head to head in the matrix
};

/// Strips of at most kStripQueries queries that together have every row of scores once. With
/// `scoresAtOnce` the matrix holds one strip, of so many scores at most or of one query of one KV
/// head; with 0 it holds all.
std::vector<Strip> scoreStrips(const ScoreSize& size, int keys, std::int64_t scoresAtOnce);

/// Elements of that matrix.
std::int64_t scoresInMemory(const ScoreSize& size, int keys, const std::vector<Strip>& strips);

enum class ScoreProduct {
    scores, ///< q·kᵀ
    sums, ///< p·v
    valueGradients, ///< pᵀ·dOut
    probabilityGradients, ///< dOut·vᵀ
    queryGradients, ///< dS·k
    keyGradients, ///< dSᵀ·q
};
constexpr std::size_t kScoreProducts = 6;

/// What the products read and write: matrices of scores of one layout, the operands of the ranges'
/// tensors, the result and its gradient.
struct ScoreOperands
{
    Operand scores;
    Operand probabilities;
    Operand gradients;
    Operand dScores;
    std::map<const Tensor*, Operand> rows;
    Operand out;
    Operand dOut; ///< without a backward pass nothing
};

/// All products of all strips as batches of heads that are equally far apart. Gradients of queries, keys
/// and values are added to what is there.
class StripProducts
{
public:
    StripProducts() = default;
    StripProducts(const ScoreSize& size,
                  const std::vector<KeyRange>& ranges,
                  const std::vector<Strip>& strips,
                  ScoreOperands operands);

    void run(const Device& device, std::size_t strip, ScoreProduct which) const;

private:
    // A matrix of every head: that of the first, and how far those of the others are.
    struct Side
    {
        Operand first;
        std::function<std::int64_t(int)> offset;

        Side transposed() const { return {first.transposed(), offset}; }
        Operand batch(std::int64_t from, std::int64_t step) const;
    };
    struct BatchedProduct
    {
        ProductSize size;
        Operand a;
        Operand b;
        Operand c;
        ProductWay way;
    };

    void add(const Strip& strip, const KeyRange& range, int firstOfRange, bool begins);
    void addPieces(const KeyRange& range, std::int64_t keys);
    Side ofScores(const Operand& matrix) const;
    Side ofQueries(const Operand& rows, const HeadColumns& columns) const;
    Side ofKeys(const Operand& rows, const HeadColumns& columns) const;
    void push(ScoreProduct which,
              const ProductSize& size,
              const Side& a,
              const Side& b,
              const Side& c,
              Into into);

    ScoreSize m_size;
    ScoreOperands m_operands;
    Strip m_strip; ///< that is added, and what it sees of a range
    int m_perSequence = 0;
    int m_firstOfRange = 0;
    int m_firstKey = 0;
    std::vector<std::array<std::vector<BatchedProduct>, kScoreProducts>> m_strips;
};

} // namespace flopsmith::cuda
