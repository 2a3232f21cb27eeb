// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/layer/variant_info.h"
#include "core/layer/weight_shape.h"

namespace flopsmith {

enum class NormKind { layerNorm, rmsNorm, none };

template <>
std::vector<std::string_view> enumNames<NormKind>();

/// Default ε under the root of a norm.
inline constexpr double kNormEpsilon = 1e-5;

/// LayerNorm y = (x − mean) / sqrt(var + ε) · γ + β, RMSNorm y = x / sqrt(mean(x²) + ε) · γ, or
/// nothing. γ and β can each be absent.
struct Norm
{
    NormKind kind = NormKind::layerNorm;
    bool scale = true; ///< γ
    bool shift = true; ///< β; RMSNorm has none
    double epsilon = kNormEpsilon; ///< changes no count

    bool operator==(const Norm&) const = default;

    bool hasShift() const { return shift && kind == NormKind::layerNorm; }

    static Norm rms(double epsilon = kNormEpsilon)
    {
        return {.kind = NormKind::rmsNorm, .scale = true, .shift = false, .epsilon = epsilon};
    }
    static Norm absent() { return {.kind = NormKind::none}; }

    static const std::vector<Field<Norm>>& fields();
};

/// γ [d] then β [d], each only if present.
WeightShapes weights(const Norm& norm, int dModel);

} // namespace flopsmith
