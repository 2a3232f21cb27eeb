// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/count.h"
#include "core/kernels/cpu/mixer/attention/strided_tile.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/mixer/attention.h"

#include <cstddef>
#include <cstdint>

namespace flopsmith::cpu {

/// Keys of one block of a tile's scores: 64 rows of them take 64 KiB.
inline constexpr std::int64_t kStridedKeysAtOnce = 256;

/// Largest score and Σ e^(score − largest) of every row (see StridedTile::firstRow()); null if nobody
/// wants them.
struct StridedRowSums
{
    float* maxima = nullptr;
    float* totals = nullptr;
};

/// From queries, keys and values to weighted sums. Flash: block of keys by block of keys with a
/// running maximum (Milakov and Gimelshein 2018; Dao et al. 2022), so that scores never leave the
/// cache. Materialised: scores of all rows are written, turned into weights, and read again.
class StridedCore
{
public:
    StridedCore(const StridedPlan& plan, AttentionAlgorithm algorithm, Threads threads);

    /// sums [T, H·valueDim]. `kept`, of flash attention, gets every row's maximum and total.
    void run(const StridedOperands& operands, float* sums, const StridedRowSums& kept = {});

    const StridedPlan& plan() const { return m_plan; }
    AttentionAlgorithm algorithm() const { return m_algorithm; }

    /// [rows, keys], materialised only: the probabilities; beyond what a row sees anything.
    const float* scores() const { return m_scores.data(); }

    std::size_t workspaceBytes() const { return m_scores.bytes() + m_scratch.bytes(); }

private:
    template <class Step>
    void forEachTile(const StridedOperands& operands, const Step& step);

    StridedPlan m_plan;
    AttentionAlgorithm m_algorithm;
    Threads m_threads;
    Buffer m_scores;
    Buffer m_scratch; ///< of one tile, per thread
};

/// What a StridedCore will allocate.
Count stridedCoreBytes(const StridedPlan& plan, AttentionAlgorithm algorithm, Threads threads);

} // namespace flopsmith::cpu
