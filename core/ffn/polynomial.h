// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/ffn/shared/channel_selection.h"
#include "core/layer/variant_info.h"
#include "core/layer/weight_shape.h"

namespace flopsmith {

enum class PolynomialBasis {
    monomial, ///< x^m, evaluated by Horner's rule
    chebyshev, ///< T_m(tanh x), evaluated by Clenshaw's recurrence
};

template <>
std::vector<std::string_view> enumNames<PolynomialBasis>();

enum class PolynomialTerms { all, odd, even };

template <>
std::vector<std::string_view> enumNames<PolynomialTerms>();

enum class CoefficientSharing { shared, perChannel };

template <>
std::vector<std::string_view> enumNames<CoefficientSharing>();

/// Polynomial FFN: y_j = Σ_m α_m·x_j^m over the terms on the kept channels, 0 elsewhere.
struct PolynomialFfn
{
    int degree = 3; ///< K ≥ 1
    double keepRatio = 0.5; ///< ρ
    PolynomialBasis basis = PolynomialBasis::monomial;
    PolynomialTerms terms = PolynomialTerms::all;
    CoefficientSharing coefficients = CoefficientSharing::shared;
    ChannelSelection selection = ChannelSelection::fixed;
    int seed = 1; ///< draws the fixed list

    bool operator==(const PolynomialFfn&) const = default;

    /// s = round(ρd), at least 1.
    int keptChannels(int dModel) const { return kept(keepRatio, dModel); }

    /// K + 1, or as many as are odd or even.
    int termCount() const;

    /// A single even term is a constant, so x gets no gradient.
    bool isConstant() const { return terms == PolynomialTerms::even && termCount() == 1; }

    static const VariantInfo& info();
    static const std::vector<Field<PolynomialFfn>>& fields();
};

/// alpha [1, terms], or [d, terms] per channel; lowest power first.
WeightShapes weights(const PolynomialFfn& ffn, int dModel);

} // namespace flopsmith
