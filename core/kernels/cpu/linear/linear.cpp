// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/linear/linear.h"

#include "core/kernels/cpu/gemm/bf16/bf16_product.h"
#include "core/kernels/cpu/gemm/library_product.h"
#include "core/kernels/cpu/simd/activation.h"

namespace flopsmith::cpu {

Slice sliceOf(std::int64_t tokens, std::int64_t columns, Threads threads, int part)
{
    constexpr std::int64_t kTokenGrain = 16;
    constexpr std::int64_t kColumnGrain = 64; // a multiple of every register block and cache line
    if (tokens > columns) {
        return {partOf(tokens, threads.count, part, kTokenGrain), {0, columns}};
    }
    return {{0, tokens}, partOf(columns, threads.count, part, kColumnGrain)};
}

namespace {

bool packsFor(std::int64_t tokens, std::int64_t columns, Threads threads)
{
    return !libraryLeads(sliceOf(tokens, columns, threads, 0).tokens.size());
}

} // namespace

Linear::Linear(std::int64_t in, std::int64_t out, const float* weight, const float* bias)
    : m_in(in)
    , m_out(out)
    , m_weight(weight)
    , m_bias(bias)
{
    prepareLibrary();
}

Linear& Linear::activatedBy(Activation activation)
{
    m_activation = activation;
    return *this;
}

Linear& Linear::transposed()
{
    m_stored = Stored::transposed;
    return *this;
}

Linear& Linear::computedIn(Precision precision)
{
    m_precision = precision;
    return *this;
}

Linear& Linear::packed(std::int64_t tokens, Threads threads)
{
    if (m_precision == Precision::bfloat16) {
        m_rounded = std::make_shared<const RoundedWeight>(m_in, m_out, m_weight, m_stored, threads);
    } else if (m_stored == Stored::notTransposed && packsFor(tokens, m_out, threads)) {
        m_packed = std::make_shared<const PackedWeight>(m_in, m_out, m_weight, threads);
    }
    return *this;
}

void Linear::run(const float* x, float* y, std::int64_t tokens, Threads threads) const
{
    // threadsFor() counts elementwise operations, each as slow as several multiply-adds.
    constexpr std::int64_t kMultiplyAdds = 4;
    const Threads busy = threadsFor(threads, tokens * m_in * m_out / kMultiplyAdds);
    onThreads(busy, [&](int part) { runSlice(x, y, sliceOf(tokens, m_out, busy, part)); });
}

void Linear::multiplyAsStored(const float* x, float* y, const Slice& slice) const
{
    const bool notTransposed = m_stored == Stored::notTransposed;
    const std::int64_t stride = notTransposed ? m_out : m_in;
    multiplyIn(m_precision,
               {slice.tokens.size(), m_in, slice.columns.size()},
               {x + slice.tokens.first * m_in, m_in},
               {m_weight + slice.columns.first * (notTransposed ? 1 : stride), stride},
               m_stored,
               {y + slice.tokens.first * m_out + slice.columns.first, m_out});
}

void Linear::runSlice(const float* x, float* y, const Slice& slice) const
{
    product(x, y, slice, [&](Range tokens, Range columns) {
        const float* bias = m_bias == nullptr ? nullptr : m_bias + columns.first;
        for (std::int64_t t = tokens.first; t < tokens.last; ++t) {
            addBiasAndActivate(m_activation,
                               bias,
                               y + t * m_out + columns.first,
                               static_cast<std::size_t>(columns.size()));
        }
    });
}

} // namespace flopsmith::cpu
