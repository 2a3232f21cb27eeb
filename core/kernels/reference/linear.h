// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/check.h"

#include <cstddef>
#include <span>
#include <vector>

namespace flopsmith::reference {

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
