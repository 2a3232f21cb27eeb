// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer/latent/latent_absorption.h"

#include "core/kernels/cpu/gemm/bf16/bf16_product.h"

namespace flopsmith::cpu {
namespace {

// Calls task(head, tokens) for blocks of tokens of every head in parallel.
template <class Task>
void forEachHeadBlock(const LatentPlan& plan,
                      Threads threads,
                      std::int64_t operationsPerRow,
                      const Task& task)
{
    constexpr std::int64_t kTokensAtOnce = 256;
    const std::int64_t blocks = (plan.tokens + kTokensAtOnce - 1) / kTokensAtOnce;
    const Threads busy = threadsFor(threads, plan.tokens * plan.heads * operationsPerRow);
    shareOut(busy, plan.heads * blocks, [&](std::int64_t i, int /*thread*/) {
        const std::int64_t first = i / plan.heads * kTokensAtOnce;
        task(i % plan.heads, Range{first, std::min(plan.tokens, first + kTokensAtOnce)});
    });
}

// Calls task(head) for all heads in parallel; each sums over all tokens.
template <class Task>
void forEachHead(const LatentPlan& plan,
                 Threads threads,
                 std::int64_t operationsPerRow,
                 const Task& task)
{
    const Threads busy = threadsFor(threads, plan.tokens * plan.heads * operationsPerRow);
    shareOut(busy, plan.heads, [&](std::int64_t head, int /*thread*/) { task(head); });
}

// The features of one head in rows [T, H·width], beginning with a token.
template <class Value>
MatrixAt<Value> rowsOf(const LatentPlan& n,
                       Value* rows,
                       std::int64_t width,
                       std::int64_t head,
                       std::int64_t token = 0)
{
    return {rows + (token * n.heads + head) * width, n.heads * width};
}

} // namespace

void absorbKeys(const LatentPlan& n,
                const float* weight,
                const float* q,
                float* absorbed,
                Threads threads)
{
    forEachHeadBlock(n, threads, n.nope * n.rank, [&](std::int64_t head, Range tokens) {
        const MatrixAt<const float> from = rowsOf(n, q, n.qkDim(), head, tokens.first);
        const MatrixAt<float> to = rowsOf(n, absorbed, n.keyDim(), head, tokens.first);
        multiplyIn(n.precision,
                   {tokens.size(), n.nope, n.rank},
                   from,
                   rowsOf(n, weight, n.nope, head),
                   Stored::transposed,
                   to);
        for (std::int64_t t = 0; t < tokens.size(); ++t) {
            std::copy_n(
                from.first + t * from.stride + n.nope, n.rope, to.first + t * to.stride + n.rank);
        }
    });
}

void absorbValues(const LatentPlan& n,
                  const float* weight,
                  const float* sums,
                  float* mixed,
                  Threads threads)
{
    forEachHeadBlock(n, threads, n.rank * n.value, [&](std::int64_t head, Range tokens) {
        multiplyIn(n.precision,
                   {tokens.size(), n.rank, n.value},
                   rowsOf(n, sums, n.rank, head, tokens.first),
                   rowsOf(n, weight, n.value, head),
                   Stored::notTransposed,
                   rowsOf(n, mixed, n.value, head, tokens.first));
    });
}

void absorbKeysBackward(const LatentPlan& n,
                        const float* weight,
                        const float* q,
                        const float* dAbsorbed,
                        float* dQ,
                        float* dWeight,
                        Threads threads)
{
    forEachHead(n, threads, 2 * n.rank * n.nope, [&](std::int64_t head) {
        const MatrixAt<const float> d = rowsOf(n, dAbsorbed, n.keyDim(), head);
        const MatrixAt<float> to = rowsOf(n, dQ, n.qkDim(), head);
        multiplyIn(n.precision,
                   {n.tokens, n.rank, n.nope},
                   d,
                   rowsOf(n, weight, n.nope, head),
                   Stored::notTransposed,
                   to);
        multiplyTransposedIn(n.precision,
                             {n.rank, n.tokens, n.nope},
                             d,
                             rowsOf(n, q, n.qkDim(), head),
                             rowsOf(n, dWeight, n.nope, head));
        for (std::int64_t t = 0; t < n.tokens; ++t) {
            std::copy_n(d.first + t * d.stride + n.rank, n.rope, to.first + t * to.stride + n.nope);
        }
    });
}

void absorbValuesBackward(const LatentPlan& n,
                          const float* weight,
                          const float* sums,
                          const float* dMixed,
                          float* dSums,
                          float* dWeight,
                          Threads threads)
{
    forEachHead(n, threads, 2 * n.rank * n.value, [&](std::int64_t head) {
        const MatrixAt<const float> d = rowsOf(n, dMixed, n.value, head);
        multiplyIn(n.precision,
                   {n.tokens, n.value, n.rank},
                   d,
                   rowsOf(n, weight, n.value, head),
                   Stored::transposed,
                   rowsOf(n, dSums, n.rank, head));
        multiplyTransposedIn(n.precision,
                             {n.rank, n.tokens, n.value},
                             rowsOf(n, sums, n.rank, head),
                             d,
                             rowsOf(n, dWeight, n.value, head));
    });
}

} // namespace flopsmith::cpu
