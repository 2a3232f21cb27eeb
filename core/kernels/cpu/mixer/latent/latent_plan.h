// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/precision.h"
#include "core/kernels/cpu/mixer/attention/attention_tile.h"
#include "core/kernels/cpu/threads/parallel.h"
#include "core/kernels/shape.h"
#include "core/mixer/latent_attention.h"

#include <algorithm>
#include <cstdint>

namespace flopsmith::cpu {

/// The sizes of latent attention.
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
    Precision precision; ///< of the projections, including absorbed ones

    LatentPlan(const LatentAttention& attention, const Shape& shape, Precision products);

    std::int64_t qkDim() const { return nope + rope; }
    std::int64_t keyDim() const { return spec.isAbsorbed() ? rank + rope : qkDim(); }
    std::int64_t valueDim() const { return spec.isAbsorbed() ? rank : value; }

    /// Tokens of this pass whose queries absorb W_uk, tokens whose latents are expanded, and cached
    /// latents that every pass expands.
    std::int64_t absorbedTokens() const { return spec.isAbsorbed() ? tokens : 0; }
    std::int64_t expandedTokens() const { return spec.isAbsorbed() ? 0 : tokens; }
    std::int64_t expandedCache() const
    {
        return !spec.isAbsorbed() && spec.cachesLatents() ? batch * cached : 0;
    }

    AttentionPlan core() const;
};

/// Calls task(token) for all tokens in parallel.
template <class Task>
void forEachToken(const LatentPlan& plan,
                  Threads threads,
                  std::int64_t operationsPerToken,
                  const Task& task)
{
    const Threads busy = threadsFor(threads, plan.tokens * operationsPerToken);
    onThreads(busy, [&](int part) {
        const Range mine = partOf(plan.tokens, busy.count, part);
        for (std::int64_t t = mine.first; t < mine.last; ++t) {
            task(t);
        }
    });
}

} // namespace flopsmith::cpu
