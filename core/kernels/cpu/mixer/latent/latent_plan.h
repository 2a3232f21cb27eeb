// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/count.h"
#include "core/kernels/cpu/gemm/precision.h"
#include "core/kernels/cpu/mixer/attention/attention_tile.h"
#include "core/kernels/cpu/threads/parallel.h"
#include "core/kernels/shape.h"
#include "core/mixer/latent_attention.h"

#include <algorithm>
#include <cstdint>

namespace flopsmith::cpu {

/// The sizes of latent attention and of everything that its forward pass keeps.
struct LatentPlan
{
    LatentAttention spec;
    std::int64_t batch;
    std::int64_t queries; ///< S
    std::int64_t cached; ///< C − S
    std::int64_t tokens; ///< T
    std::int64_t dModel;
    std::int64_t heads;
    std::int64_t queryRank;
    std::int64_t rank;
    std::int64_t nope;
    std::int64_t rope;
    std::int64_t value;
    Precision precision; ///< of the projections, absorbed ones too

    LatentPlan(const LatentAttention& attention, const Shape& shape, Precision products);

    std::int64_t qkDim() const { return nope + rope; }
    std::int64_t keyDim() const { return spec.isAbsorbed() ? rank + rope : qkDim(); }
    std::int64_t valueDim() const { return spec.isAbsorbed() ? rank : value; }

    /// Cached latents that a pass expands again.
    std::int64_t expandedAgain() const
    {
        return !spec.isAbsorbed() && spec.cachesLatents() ? batch * cached : 0;
    }

    AttentionPlan core() const;
};

/// Calls task(token) for all tokens, side by side.
template <class Task>
void forEachToken(const LatentPlan& plan,
                  Threads threads,
                  std::int64_t operationsPerToken,
                  const Task& task)
{
    const Threads busy = worthwhile(threads, plan.tokens * operationsPerToken);
    onThreads(busy, [&](int part) {
        const Range mine = partOf(plan.tokens, busy.count, part);
        for (std::int64_t t = mine.first; t < mine.last; ++t) {
            task(t);
        }
    });
}

/// Floats of each of a LatentCore's buffers but the rotary table.
struct LatentFloats
{
    Count queryLatents; ///< and again normalised
    Count q;
    Count down;
    Count latents;
    Count ropeKeys;
    Count absorbed;
    Count keys;
    Count values;
    Count oldKeys;
    Count oldValues;
    Count sums;
    Count mixed;

    explicit LatentFloats(const LatentPlan& plan);

    Count total() const
    {
        return 2 * queryLatents + q + down + latents + ropeKeys + absorbed + keys + values + oldKeys
            + oldValues + sums + mixed;
    }
};

/// What a LatentCore will allocate.
Count latentCoreBytes(const LatentPlan& plan);

} // namespace flopsmith::cpu
