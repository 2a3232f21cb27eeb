// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/reference/ffn.h"
#include "core/kernels/reference/layer.h"
#include "core/kernels/reference/mixer.h"
#include "core/mixer/attention.h"

#include <numeric>
#include <vector>

// Runs in double, with all spans made from vectors.
namespace flopsmith::reference {

using Values = std::vector<double>;

inline constexpr double kTiny = 1e-12; ///< an error of rounding
inline constexpr double kSmall = 1e-11; ///< one of many roundings

/// Keys and values of tokens that came before.
struct Cache
{
    Values keys;
    Values values;
};

inline double inner(const Values& a, const Values& b)
{
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

inline Values outputOf(const FfnSpec& ffn,
                       const Shape& shape,
                       const Weights<double>& weights,
                       const Values& x)
{
    Values y(x.size(), -1.0);
    forward<double>(ffn, shape, weights, x, y);
    return y;
}

inline Values outputOf(const Attention& attention,
                       const Shape& shape,
                       const Weights<double>& weights,
                       const Values& x,
                       const Values& keys = {},
                       const Values& values = {})
{
    Values y(x.size(), -1.0);
    forward<double>(attention, shape, weights, x, keys, values, y);
    return y;
}

inline Values outputOf(const Norm& norm,
                       const Shape& shape,
                       const Weights<double>& weights,
                       const Values& x)
{
    Values y(x.size(), -1.0);
    forward<double>(norm, shape, weights, x, y);
    return y;
}

} // namespace flopsmith::reference
