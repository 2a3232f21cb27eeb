// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/layer/activation.h"
#include "core/layer/variant_info.h"
#include "core/layer/weight_shape.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace flopsmith {

/// A matrix of −1, 0 and +1 with equally many non-zeros in each row, stored as one number per
/// non-zero: its column, or the bitwise complement of the column where the sign is minus.
struct SignMatrix
{
    int rows = 0;
    int columns = 0;
    int perRow = 0;
    std::vector<std::int32_t> entries; ///< [rows, perRow], columns ascending in each row

    std::span<const std::int32_t> row(int i) const
    {
        const auto count = static_cast<std::size_t>(perRow);
        return std::span(entries).subspan(static_cast<std::size_t>(i) * count, count);
    }

    static bool isMinus(std::int32_t entry) { return entry < 0; }
    static int column(std::int32_t entry) { return entry < 0 ? ~entry : entry; }

    /// Every choice of `perRow` columns and signs in each row is equally likely.
    static SignMatrix drawn(int rows, int columns, int perRow, std::uint64_t seed);
};

/// Sparse random projection: h = act(α·R₁x + b), y = β·R₂(g ⊙ h). R₁ [m, d] has p = round(δd)
/// non-zeros ±1 in each row, R₂ [d, m] has q = round(δm); both are drawn from the seed and not
/// trained. α = 1/√p and β = 1/√q keep the variance.
struct RandomProjectionFfn
{
    int features = 3072; ///< m
    double density = 0.1; ///< δ in (0, 1], of R₁ and of R₂
    Activation activation = Activation::relu;
    int seed = 1; ///< draws R₁ and R₂

    bool operator==(const RandomProjectionFfn&) const = default;

    int inputsPerFeature(int dModel) const { return kept(density, dModel); } ///< p
    int featuresPerOutput() const { return kept(density, features); } ///< q

    SignMatrix inputProjection(int dModel) const; ///< R₁
    SignMatrix outputProjection(int dModel) const; ///< R₂
    double inputScale(int dModel) const; ///< α
    double outputScale() const; ///< β

    static const VariantInfo& info();
    static const std::vector<Field<RandomProjectionFfn>>& fields();
};

/// gain [1, m] (g), bias [1, m] (b).
WeightShapes weights(const RandomProjectionFfn& ffn, int dModel);

} // namespace flopsmith
