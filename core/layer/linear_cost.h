// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/op_count.h"

namespace flopsmith {

enum class Bias { absent, present };

inline Bias biasIf(bool present)
{
    return present ? Bias::present : Bias::absent;
}

/// y = x·W (+ b) for T tokens; x [T, in], W [in, out], y [T, out].
///   mac T·in·out, dot T·out, add T·out if there is a bias; parameters in·out (+ out)
template <class N>
[[gnu::always_inline]] inline Cost<N> linearCost(const N& tokens,
                                                 const N& in,
                                                 const N& out,
                                                 Bias bias)
{
    Cost<N> cost{
        .count = {.mac = tokens * in * out, .dot = tokens * out},
        .traffic = {.weights = in * out, .read = tokens * in, .written = tokens * out},
        .parameters = ParameterCount<N>::dense(in * out),
    };
    if (bias == Bias::present) {
        cost.count.add = tokens * out;
        cost.traffic.weights += out;
        cost.traffic.vectors = out;
        cost.parameters += ParameterCount<N>::ofVectors(out);
    }
    return cost;
}

/// Backward of the same: dx = dy·Wᵀ, dW = xᵀ·dy, db = Σ_t dy_t.
///   mac 2·T·in·out, dot T·in + in·out, add (T−1)·out if there is a bias
template <class N>
Cost<N> linearBackwardCost(const N& tokens, const N& in, const N& out, Bias bias)
{
    Cost<N> cost{
        .count = {.mac = N(2) * tokens * in * out, .dot = tokens * in + in * out},
        .traffic = {.weights = in * out,
                    .read = tokens * in + N(2) * tokens * out,
                    .written = tokens * in,
                    .gradients = in * out},
    };
    if (bias == Bias::present) {
        cost.count.add = (tokens - N(1)) * out;
        cost.traffic.read += tokens * out;
        cost.traffic.gradients += out;
    }
    return cost;
}

} // namespace flopsmith
