// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/bf16/bf16_weight.h"
#include "core/kernels/cpu/gemm/packed_weight.h"
#include "core/kernels/cpu/gemm/precision.h"
#include "core/kernels/cpu/gemm/product.h"
#include "core/kernels/cpu/threads/parallel.h"
#include "core/layer/activation.h"

#include <cstdint>
#include <memory>

namespace flopsmith::cpu {

/// A thread's part of a product: some of the tokens and some of the output columns.
struct Slice
{
    Range tokens;
    Range columns;
};

/// How a product of [tokens, in] by [in, out] is split: along the longer of tokens and columns,
/// so that each thread packs the smaller matrix.
Slice sliceOf(std::int64_t tokens, std::int64_t columns, Threads threads, int part);

/// y = act(x·W + b). W is borrowed: [in, out], or [out, in] if stored transposed.
class Linear
{
public:
    Linear(std::int64_t in, std::int64_t out, const float* weight, const float* bias);

    Linear& activatedBy(Activation activation);
    Linear& transposed();

    /// The precision of x and W in the product; without this float32.
    Linear& computedIn(Precision precision);

    /// Packs W once, in the precision set before, so that no run packs or rounds it again. In
    /// float32 it is not packed if stored transposed, or if each thread multiplies so many tokens
    /// that a library is faster; see libraryLeads().
    Linear& packed(std::int64_t tokens, Threads threads);

    /// x [tokens, in] → y [tokens, out] on all threads.
    void run(const float* x, float* y, std::int64_t tokens, Threads threads) const;

    /// Only the product, of one slice, on the calling thread: no bias, no activation.
    void product(const float* x, float* y, const Slice& slice) const
    {
        product(x, y, slice, [](Range /*tokens*/, Range /*columns*/) {});
    }

    /// The same, and calls done(tokens, columns) for each piece of y while it is in the cache.
    template <class Done>
    void product(const float* x, float* y, const Slice& slice, const Done& done) const
    {
        if (slice.tokens.size() == 0 || slice.columns.size() == 0) {
            return;
        }
        if (m_packed != nullptr && m_packed->covers(slice.columns)) {
            m_packed->multiply(x, y, slice.tokens, slice.columns, done);
        } else if (m_rounded != nullptr && m_rounded->covers(slice.columns)) {
            m_rounded->multiply(x, y, slice.tokens, slice.columns, done);
        } else {
            multiplyAsStored(x, y, slice);
            done(slice.tokens, slice.columns);
        }
    }

    /// Product, bias and activation of one slice; rows are activated while they are in the cache.
    void runSlice(const float* x, float* y, const Slice& slice) const;

    const float* bias() const { return m_bias; }

    /// Null unless packed() in bfloat16.
    const RoundedWeight* rounded() const { return m_rounded.get(); }

    std::int64_t out() const { return m_out; }

private:
    void multiplyAsStored(const float* x, float* y, const Slice& slice) const;

    std::int64_t m_in;
    std::int64_t m_out;
    const float* m_weight;
    const float* m_bias; ///< null without one
    Precision m_precision = Precision::float32;
    std::shared_ptr<const PackedWeight> m_packed; ///< null unless packed() in float32
    std::shared_ptr<const RoundedWeight> m_rounded; ///< null unless packed() in bfloat16
    Stored m_stored = Stored::notTransposed;
    Activation m_activation = Activation::none;
};

} // namespace flopsmith::cpu
