// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/packed_weight.h"
#include "core/kernels/cpu/gemm/precision.h"
#include "core/kernels/cpu/gemm/product.h"
#include "core/kernels/cpu/linear/linear.h"

#include <cstdint>
#include <span>

namespace flopsmith::cpu {

/// sum[columns] += Σ_t rows[t, columns]; rows [tokens, stride].
void sumRows(const float* rows,
             std::int64_t tokens,
             std::int64_t stride,
             Range columns,
             float* sum);

/// sum[columns] = Σ_t rows[t, columns], each sum in the order of the tokens.
void sumTokens(const float* rows, std::int64_t tokens, std::span<float> sum, Threads threads);

/// The gradients of y = x·W + b with W [in, out]. W and the gradients are borrowed.
class LinearBackward
{
public:
    /// `biasGradient` is empty without a bias.
    LinearBackward(std::int64_t in,
                   std::int64_t out,
                   const float* weight,
                   std::span<float> weightGradient,
                   std::span<float> biasGradient = {});

    /// The precision of the operands of both products; without this float32.
    LinearBackward& computedIn(Precision precision);

    /// Wᵀ packed, borrowed: dx = dy·Wᵀ in float32 then reads it instead of W.
    LinearBackward& through(const PackedWeight& transposed);

    /// dx (+)= dy·Wᵀ; dy [tokens, out], dx [tokens, in].
    void input(const float* dy,
               float* dx,
               std::int64_t tokens,
               Threads threads,
               Into into = Into::overwrite) const
    {
        input(dy, dx, tokens, threads, into, [](const Slice&) {});
    }

    /// The same, and then after(slice) on the slice of dx while it is in the cache.
    template <class After>
    void input(const float* dy,
               float* dx,
               std::int64_t tokens,
               Threads threads,
               Into into,
               const After& after) const
    {
        const Threads busy = threadsFor(threads, tokens * m_in * m_out);
        onThreads(busy, [&](int part) {
            const Slice slice = sliceOf(tokens, m_in, busy, part);
            inputSlice(dy, dx, slice, into);
            after(slice);
        });
    }

    /// dW (+)= xᵀ·dy and db (+)= Σ_t dy_t; x [tokens, in], dy [tokens, out].
    void weights(const float* x,
                 const float* dy,
                 std::int64_t tokens,
                 Threads threads,
                 Into into = Into::overwrite) const;

    /// Some tokens and columns of dx (+)= dy·Wᵀ, on the calling thread.
    void inputSlice(const float* dy, float* dx, const Slice& slice, Into into) const;

    /// Some rows (slice.tokens) and columns of dW (+)= xᵀ·dy, on the calling thread. A slice with
    /// the first row also computes its columns of db. Without tokens the gradients are 0.
    void weightsSlice(const float* x,
                      const float* dy,
                      std::int64_t tokens,
                      const Slice& slice,
                      Into into) const;

private:
    std::int64_t m_in;
    std::int64_t m_out;
    const float* m_weight;
    std::span<float> m_weightGradient;
    std::span<float> m_biasGradient;
    Precision m_precision = Precision::float32;
    const PackedWeight* m_packed = nullptr;
};

} // namespace flopsmith::cpu
