// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/count/cost_tree.h"
#include "core/count/numbers.h"
#include "core/ffn/shared/index_list_cost.h"
#include "core/layer/activation_cost.h"
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

/// `rows` sums of `terms` values per token, each value read by index and added or subtracted, and
/// one factor per sum: rows·(terms − 1) add, rows mul, rows·terms moves. No multiply-adds.
template <class N>
OpCount<N> signedSumsCount(const N& tokens, const N& rows, const N& terms)
{
    return {
        .mul = tokens * rows, .add = tokens * rows * (terms - N(1)), .move = tokens * rows * terms};
}

/// The transpose of the same: each of the rows·terms non-zeros adds its row's value to a column's
/// sum, which starts at zero, and one factor per value of the narrow side: rows·terms add,
/// `scaled` mul, rows·terms moves.
template <class N>
OpCount<N> signedScatterCount(const N& tokens, const N& rows, const N& terms, const N& scaled)
{
    return {.mul = tokens * scaled, .add = tokens * rows * terms, .move = tokens * rows * terms};
}

/// Per token: m sums of p inputs, m add for b, the activation, m mul for g, d sums of q features.
/// Parameters 2m; fixed m·p + d·q, one number per non-zero. Kept for the backward pass: what goes
/// into the activation and what comes out of it.
template <class N>
void addCost(const RandomProjectionFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const N t = pass.tokens();
    const N d = pass.dModel;
    const N m = pass.numbers("m", ffn.features);
    const N p = pass.numbers("p", ffn.inputsPerFeature(pass.dModelValue), "round(density*d)");
    const N q = pass.numbers("q", ffn.featuresPerOutput(), "round(density*m)");
    const N n = t * m;

    Cost<N> projectIn{.count = signedSumsCount(t, m, p),
                      .traffic = {.weights = m, .read = t * d, .written = n},
                      .parameters = ParameterCount<N>::dense(m)};
    projectIn.count.add += n;
    projectIn += indexListCost(N(m * p));
    tree.operation("project_in", OpKind::linear, n, projectIn);
    if (ffn.activation != Activation::none) {
        tree.operation("activation", OpKind::activation, n, activationCost(ffn.activation, n));
    }
    tree.operation("gain",
                   OpKind::elementwise,
                   n,
                   {.count = {.mul = n},
                    .traffic = {.weights = m, .read = n, .written = n},
                    .parameters = ParameterCount<N>::dense(m),
                    .saved = n});
    Cost<N> projectOut{.count = signedSumsCount(t, d, q), .traffic = {.read = n, .written = t * d}};
    projectOut += indexListCost(N(d * q));
    tree.operation("project_out", OpKind::linear, N(t * d), projectOut);
}

/// Both matrices are run through transposed, with d mul for β and α each; g has the gradient
/// Σ_t h ⊙ dw (T·m mac) and lets through g ⊙ dw (T·m mul), w = g ⊙ h; b has Σ_t of what comes out
/// of the activation, (T−1)·m add.
template <class N>
void addBackwardCost(const RandomProjectionFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const N t = pass.tokens();
    const N d = pass.dModel;
    const N m = pass.numbers("m", ffn.features);
    const N p = pass.numbers("p", ffn.inputsPerFeature(pass.dModelValue), "round(density*d)");
    const N q = pass.numbers("q", ffn.featuresPerOutput(), "round(density*m)");
    const N n = t * m;

    Cost<N> projectIn{.count = signedScatterCount(t, m, p, d),
                      .traffic = {.read = N(2) * n, .written = t * d, .gradients = m}};
    projectIn.count.add += (t - N(1)) * m;
    projectIn += indexListBackwardCost(N(m * p));
    tree.operation("project_in", OpKind::linear, N(t * d), projectIn);
    if (ffn.activation != Activation::none) {
        tree.operation(
            "activation", OpKind::activation, n, activationBackwardCost(ffn.activation, n));
    }
    tree.operation("gain",
                   OpKind::elementwise,
                   n,
                   {.count = {.mac = n, .dot = m, .mul = n},
                    .traffic = {.weights = m, .read = N(3) * n, .written = n, .gradients = m}});
    Cost<N> projectOut{.count = signedScatterCount(t, d, q, d),
                       .traffic = {.read = t * d, .written = n}};
    projectOut += indexListBackwardCost(N(d * q));
    tree.operation("project_out", OpKind::linear, n, projectOut);
}

} // namespace flopsmith
