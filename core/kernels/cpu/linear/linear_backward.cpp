// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/linear/linear_backward.h"

#include "core/base/check.h"
#include "core/kernels/cpu/gemm/bf16/bf16_product.h"
#include "core/kernels/cpu/gemm/library_product.h"
#include "core/kernels/cpu/simd/lanes.h"

#include <algorithm>

namespace flopsmith::cpu {

void sumRows(const float* rows, std::int64_t tokens, std::int64_t stride, Range columns, float* sum)
{
    const auto count = static_cast<std::size_t>(columns.size());
    float* to = sum + columns.first;
    for (std::int64_t t = 0; t < tokens; ++t) {
        const float* row = rows + t * stride + columns.first;
        transform(row, to, count, [to, count](Lanes v, std::size_t i) {
            return v + (i + kLanes <= count ? load(to + i) : loadSome(to + i, count - i));
        });
    }
}

void sumTokens(const float* rows, std::int64_t tokens, std::span<float> sum, Threads threads)
{
    const auto columns = static_cast<std::int64_t>(sum.size());
    const Threads busy = threadsFor(threads, tokens * columns);
    onThreads(busy, [&](int part) {
        const Range mine = partOf(columns, busy.count, part, kLanes);
        std::fill_n(sum.data() + mine.first, mine.size(), 0.0F);
        sumRows(rows, tokens, columns, mine, sum.data());
    });
}

LinearBackward::LinearBackward(std::int64_t in,
                               std::int64_t out,
                               const float* weight,
                               std::span<float> weightGradient,
                               std::span<float> biasGradient)
    : m_in(in)
    , m_out(out)
    , m_weight(weight)
    , m_weightGradient(weightGradient)
    , m_biasGradient(biasGradient)
{
    FLOPSMITH_CHECK(static_cast<std::int64_t>(weightGradient.size()) == in * out);
    prepareLibrary();
}

LinearBackward& LinearBackward::computedIn(Precision precision)
{
    m_precision = precision;
    return *this;
}

LinearBackward& LinearBackward::through(const PackedWeight& transposed)
{
    m_packed = &transposed;
    return *this;
}

void LinearBackward::inputSlice(const float* dy, float* dx, const Slice& slice, Into into) const
{
    if (slice.tokens.size() == 0 || slice.columns.size() == 0) {
        return;
    }
    if (m_packed != nullptr && m_precision == Precision::float32 && into == Into::overwrite
        && m_packed->covers(slice.columns)) {
        m_packed->multiply(dy, dx, slice.tokens, slice.columns, [](Range, Range) {});
        return;
    }
    multiplyIn(m_precision,
               {slice.tokens.size(), m_out, slice.columns.size()},
               {dy + slice.tokens.first * m_out, m_out},
               {m_weight + slice.columns.first * m_out, m_out},
               Stored::transposed,
               {dx + slice.tokens.first * m_in + slice.columns.first, m_in},
               into);
}

void LinearBackward::weights(const float* x,
                             const float* dy,
                             std::int64_t tokens,
                             Threads threads,
                             Into into) const
{
    const Threads busy = threadsFor(threads, tokens * m_in * m_out);
    onThreads(busy, [&](int part) {
        // Rows of dW are features of x, columns those of dy: split like a product of `in` rows.
        weightsSlice(x, dy, tokens, sliceOf(m_in, m_out, busy, part), into);
    });
}

void LinearBackward::weightsSlice(const float* x,
                                  const float* dy,
                                  std::int64_t tokens,
                                  const Slice& slice,
                                  Into into) const
{
    if (slice.tokens.size() == 0 || slice.columns.size() == 0) {
        return;
    }
    multiplyTransposedIn(
        m_precision,
        {slice.tokens.size(), tokens, slice.columns.size()},
        {x + slice.tokens.first, m_in},
        {dy + slice.columns.first, m_out},
        {m_weightGradient.data() + slice.tokens.first * m_out + slice.columns.first, m_out},
        into);
    if (!m_biasGradient.empty() && slice.tokens.first == 0) {
        if (into == Into::overwrite) {
            std::fill_n(m_biasGradient.data() + slice.columns.first, slice.columns.size(), 0.0F);
        }
        sumRows(dy, tokens, m_out, slice.columns, m_biasGradient.data());
    }
}

} // namespace flopsmith::cpu
