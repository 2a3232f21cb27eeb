// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/gemm/product.h"

#include <cstdint>
#include <limits>

// Scores, softmax and weighted sum on chip: the core that all kinds of attention share. Scores are
// computed tile by tile and never written (flash attention); tiles that no query of a block sees
// are skipped.
namespace flopsmith::cuda {

/// Distances that the bias of a relative position tells apart: [−kFarthest, kFarthest].
constexpr int kFarthestOffset = 128;
constexpr int kOffsets = 2 * kFarthestOffset + 1;

/// What happens to a product q·k before softmax.
struct ScoreSteps
{
    float scale = 1.0F;
    float cap = 0.0F; ///< cap·tanh(s/cap); 0: none
    const float* slopes = nullptr; ///< [H]: − slope·|offset|; null: none
    const float* biases = nullptr; ///< [H, kOffsets] by offset; null: none
    const float* sinks = nullptr; ///< [H], one more logit; null: none
};

/// Queries see keys from `back` before to `forward` after their position.
struct CoreSize
{
    std::int64_t batch = 1;
    int queries = 1; ///< S; they stand behind the cached keys
    int cached = 0; ///< keys per sequence that lie in the cache
    int fresh = 1; ///< keys per sequence behind them
    int heads = 1;
    int sharers = 1; ///< query heads per head of keys
    int keyDim = 1;
    int valueDim = 1;
    int firstPosition = 0; ///< of the first query
    int back = std::numeric_limits<int>::max() / 2;
    int forward = std::numeric_limits<int>::max() / 2;

    int keys() const { return cached + fresh; }
    int keyHeads() const { return heads / sharers; }
    std::int64_t rows() const { return batch * queries * heads; }
};

/// Rows of keys or values: feature c of head g stands at g·own + c if c < own, else, the same for
/// all heads, at shared + c − own. The cache is float32, fresh rows are of the operands' element.
struct HeadRows
{
    Operand fresh; ///< [batch·fresh, stride]
    const float* cached = nullptr; ///< [batch·cached, cachedStride]
    std::int64_t cachedStride = 0;
    int own = 0;
    int shared = 0;
};

/// Features that are all the head's own.
inline HeadRows ownRows(const Operand& fresh, int width)
{
    return {.fresh = fresh, .own = width};
}

struct CoreInput
{
    Operand queries; ///< [batch·S, stride], heads side by side
    HeadRows keys;
    HeadRows values;
};

/// Of each row of scores, a query's by a head's: [batch·S, H].
struct RowSums
{
    float* largest = nullptr;
    float* total = nullptr; ///< Σ e^(score − largest), the sink included
};

/// The forward pass: prepared once, so that run() only enqueues.
class AttentionCore
{
public:
    AttentionCore(const Device& device, const CoreSize& size);

    /// out [batch·S, H·valueDim] of the operands' element or float32. `sums` are written unless null.
    void run(const CoreInput& input,
             const ScoreSteps& steps,
             const Destination& out,
             const RowSums& sums = {});

private:
    const Device* m_device;
    CoreSize m_size;
    int m_pieces; ///< of values per pass
    int m_packed; ///< heads whose rows share a block
    int m_chunk; ///< features of keys on chip
    int m_splits; ///< of the keys, added up afterwards
    DeviceBuffer<float> m_partial; ///< [splits, rows, valueDim] if split
    DeviceBuffer<float> m_largest;
    DeviceBuffer<float> m_total;
};

/// Where the gradients of the core's inputs go, all float32.
struct CoreGradients
{
    float* queries = nullptr; ///< [batch·S, stride]
    std::int64_t queryStride = 0;
    float* keys = nullptr; ///< [batch·fresh, stride], keyDim features per head of keys
    std::int64_t keyStride = 0;
    float* values = nullptr;
    std::int64_t valueStride = 0;
    float* sinks = nullptr; ///< [H]; null: none
    float* biases = nullptr; ///< [H, kOffsets]; null: none
};

/// The backward pass without cached keys: scores are computed again, once for the queries and once
/// for keys and values, so that every sum has one owner and a fixed order.
class AttentionCoreBackward
{
public:
    /// `biases`: their gradients will be asked for.
    AttentionCoreBackward(const Device& device, const CoreSize& size, bool biases);

    /// `out` and `sums` are those of the forward pass; dOut has out's element.
    void run(const CoreInput& input,
             const ScoreSteps& steps,
             const Operand& out,
             const RowSums& sums,
             const Operand& dOut,
             const CoreGradients& gradients);

private:
    void sumCentres(const Operand& out, const Operand& dOut);
    void sumSinks(const ScoreSteps& steps, const RowSums& sums, float* to);

    const Device* m_device;
    CoreSize m_size;
    int m_pieces; ///< of gradients per pass
    int m_keyChunk;
    int m_valueChunk;
    bool m_together;
    bool m_biases;
    DeviceBuffer<float> m_centres; ///< [batch·S, H]: Σ out·dOut
    DeviceBuffer<float> m_partial; ///< [H, blocks, kOffsets]
};

/// sums [H, kOffsets] of partial [H, parts, kOffsets], in order.
void addOffsetParts(const Device& device,
                    const float* partial,
                    int heads,
                    std::int64_t parts,
                    float* sums);

} // namespace flopsmith::cuda
