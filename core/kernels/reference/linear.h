// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/check.h"

#include <cstddef>
#include <span>
#include <vector>

namespace flopsmith::reference {

/// sums += terms: as many additions as there are sums.
template <class S>
void accumulate(std::span<S> sums, std::span<const S> terms)
{
    for (std::size_t i = 0; i < sums.size(); ++i) {
        sums[i] += terms[i];
    }
}

/// y = x·W (+ b): x [tokens, in], W [in, out], b [out] or null, y [tokens, out]. A dot product of
/// n terms starts with its first product, so it executes n multiplications and n − 1 additions.
template <class S>
void linear(std::size_t tokens,
            std::span<const S> x,
            const std::vector<S>& w,
            const std::vector<S>* bias,
            std::span<S> y)
{
    const std::size_t in = x.size() / tokens;
    const std::size_t out = y.size() / tokens;
    FLOPSMITH_CHECK(w.size() == in * out);
    for (std::size_t t = 0; t < tokens; ++t) {
        const auto from = x.subspan(t * in, in);
        const auto to = y.subspan(t * out, out);
        for (std::size_t o = 0; o < out; ++o) {
            to[o] = from[0] * w[o];
        }
        for (std::size_t i = 1; i < in; ++i) {
            for (std::size_t o = 0; o < out; ++o) {
                to[o] += from[i] * w[i * out + o];
            }
        }
        for (std::size_t o = 0; bias != nullptr && o < out; ++o) {
            to[o] += (*bias)[o];
        }
    }
}

/// Adds a term to a sum. The first term overwrites, which is no addition.
template <class S>
void accumulate(S& sum, S term, bool first)
{
    sum = first ? term : sum + term;
}

/// sum[i] = Σ_t rows[t, i]: tokens − 1 additions each.
template <class S>
void sumRows(std::span<const S> rows, std::span<S> sum)
{
    for (std::size_t i = 0; i < rows.size(); ++i) {
        accumulate(sum[i % sum.size()], rows[i], i < sum.size());
    }
}

/// dx = dy·Wᵀ, dW = xᵀ·dy and, if `dBias` is not null, db = Σ_t dy_t. x [tokens, in], W [in, out],
/// dy [tokens, out]; dx, dW and db are overwritten.
template <class S>
void linearBackward(std::size_t tokens,
                    std::span<const S> x,
                    const std::vector<S>& w,
                    std::span<const S> dy,
                    std::span<S> dx,
                    std::vector<S>& dW,
                    std::vector<S>* dBias)
{
    const std::size_t in = x.size() / tokens;
    const std::size_t out = dy.size() / tokens;
    FLOPSMITH_CHECK(w.size() == in * out && dW.size() == w.size());
    for (std::size_t t = 0; t < tokens; ++t) {
        for (std::size_t i = 0; i < in; ++i) {
            S sum = dy[t * out] * w[i * out];
            for (std::size_t o = 1; o < out; ++o) {
                sum += dy[t * out + o] * w[i * out + o];
            }
            dx[t * in + i] = sum;
            for (std::size_t o = 0; o < out; ++o) {
                const S product = x[t * in + i] * dy[t * out + o];
                accumulate(dW[i * out + o], product, t == 0);
            }
        }
    }
    if (dBias != nullptr) {
        sumRows<S>(dy, *dBias);
    }
}

/// a·b: n multiplications and n − 1 additions.
template <class S>
S dot(std::span<const S> a, std::span<const S> b)
{
    S sum = a[0] * b[0];
    for (std::size_t i = 1; i < a.size(); ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

} // namespace flopsmith::reference
