// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/mixer/attention/strided_core.h"

namespace flopsmith::cpu {

/// The backward pass of a StridedCore, with the forward pass that it follows.
class StridedCoreBackward
{
public:
    StridedCoreBackward(const StridedPlan& plan, AttentionAlgorithm algorithm, Threads threads);

    /// The forward pass: sums [T, H·valueDim]. Operands and sums are borrowed until the last run().
    void remember(const StridedOperands& operands, float* sums);

    /// dQueries [T, H·keyDim] from dSums [T, H·valueDim], and the gradients of keys and values, which
    /// addKey() and addValue() then give out.
    void run(const float* dSums, float* dQueries);

    /// to (+)= some features of one key's gradient, or all of one value's.
    void addKey(std::int64_t sequence,
                std::int64_t group,
                std::int64_t key,
                Range features,
                Into into,
                float* to) const;
    void addValue(std::int64_t sequence,
                  std::int64_t group,
                  std::int64_t key,
                  Into into,
                  float* to) const;

    std::size_t workspaceBytes() const;

private:
    struct Scratch;

    std::int64_t units() const;
    std::size_t unitFloats() const;
    float* keyGradients(std::int64_t unit);
    float* valueGradients(std::int64_t unit);
    void add(const float* first, Range features, Into into, float* to) const;

    template <class Step>
    void forEachTile(const Step& step);

    void flashTile(const StridedTile& tile, const Scratch& scratch, std::int64_t unit);
    void runMaterialised();

    const StridedPlan& plan() const { return m_core.plan(); }

    StridedCore m_core;
    Threads m_threads;
    std::int64_t m_parts; ///< per key head: each sums by itself, so that every sum has one order
    StridedOperands m_operands;
    const float* m_sums = nullptr;
    const float* m_dSums = nullptr; ///< of the present run
    float* m_dQueries = nullptr;
    Buffer m_maxima; ///< of each row; flash only
    Buffer m_totals;
    Buffer m_dScores; ///< materialised only
    Buffer m_gradients; ///< per unit [keys, keyDim], then [keys, valueDim]
    Buffer m_scratch; ///< of one tile, per thread
};

/// What a StridedCoreBackward will allocate.
Count stridedCoreBackwardBytes(const StridedPlan& plan,
                               AttentionAlgorithm algorithm,
                               Threads threads);

} // namespace flopsmith::cpu
