// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/layer/variant_info.h"
#include "core/layer/weight_shape.h"

namespace flopsmith {

/// Fourier mixing (FNet, Lee-Thorp et al. 2021): y = Re(FFT along tokens of FFT along features of
/// x), for each sequence, not scaled. No parameters. Every token sees every other, later ones too,
/// and nothing can be cached: it cannot be part of a decoder.
///   y[k, j] = Σ_s Σ_n x[s, n]·cos(2π(ks/S + jn/d))
struct FourierMixer
{
    bool operator==(const FourierMixer&) const = default;

    bool canDecode() const { return false; }

    static const VariantInfo& info();
    static const std::vector<Field<FourierMixer>>& fields();
};

inline WeightShapes weights(const FourierMixer& /*mixer*/, int /*dModel*/)
{
    return {};
}

} // namespace flopsmith
