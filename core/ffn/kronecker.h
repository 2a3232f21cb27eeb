// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/ffn/dense.h"
#include "core/ffn/kronecker_matrix.h"
#include "core/layer/activation.h"
#include "core/layer/variant_info.h"
#include "core/layer/weight_shape.h"

#include <vector>

namespace flopsmith {

/// Kronecker FFN: y = act(x·W₁ + b₁)·W₂ + b₂ where both matrices are sums of R Kronecker products,
/// W₁ = Σ_r A_r ⊗ B_r with A_r [d₁, f₁], B_r [d₂, f₂], d = d₁·d₂, f = f₁·f₂, and W₂ likewise with
/// rows and columns exchanged. Neither is ever formed.
struct KroneckerFfn
{
    int dFf = 3072; ///< f
    int d1 = 24; ///< divides d
    int f1 = 48; ///< divides f
    int rank = 1; ///< R
    double keepRatio = 1.0; ///< ρ: share of the entries kept in each row of each factor
    int seed = 1; ///< draws which entries are kept
    Activation activation = Activation::geluTanh;
    bool bias = true;

    bool operator==(const KroneckerFfn&) const = default;

    /// W₁ [d, f] and W₂ [f, d].
    KroneckerMatrix up(int dModel) const;
    KroneckerMatrix down(int dModel) const;

    /// The four factors in the order of their weights.
    enum class Factor { upA, upB, downA, downB };

    /// Where the kept entries of a sparse factor stand: [rows, kept] columns, ascending in a row.
    std::vector<int> keptColumns(Factor which, int dModel) const;

    static const VariantInfo& info();
    static const std::vector<Field<KroneckerFfn>>& fields();
};

/// c_fc.a [R·d₁, p], c_fc.b [R·d₂, p], c_fc.bias, c_proj.a [R·f₁, p], c_proj.b [R·f₂, p],
/// c_proj.bias: the factors of all terms, stacked. p are the entries kept in each row: all columns
/// (f₁, f₂, d₁, d₂) or the round(ρ·columns) ≥ 1 of them that keptColumns() names.
WeightShapes weights(const KroneckerFfn& ffn, int dModel);

/// Both matrices as lists of products, for the forward and the backward cost.
template <class N>
struct KroneckerFfnProducts
{
    N f;
    std::vector<KroneckerProduct<N>> up;
    std::vector<KroneckerProduct<N>> down;

    KroneckerFfnProducts(const KroneckerFfn& ffn, const Pass<N>& pass)
        : f(pass.numbers("f", ffn.dFf))
    {
        const KroneckerMatrix w1 = ffn.up(pass.dModelValue);
        const KroneckerMatrix w2 = ffn.down(pass.dModelValue);
        const auto& numbers = pass.numbers;
        const N t = pass.tokens();
        const N r = numbers("R", ffn.rank);
        const N dA = numbers("d_A", w1.a.in);
        const N dB = numbers("d_B", w1.b.in, "d/d_A");
        const N fA = numbers("f_A", w1.a.out);
        const N fB = numbers("f_B", w1.b.out, "f/f_A");
        const auto sizes = [&](const KroneckerFactor& factor,
                               const N& in,
                               const N& out,
                               std::string_view kept,
                               std::string_view meaning) {
            return factorSizes(factor, r, in, out, kept, meaning, numbers);
        };
        up = kroneckerProducts(w1,
                               {"c_fc_a", "c_fc_b"},
                               t,
                               r,
                               sizes(w1.a, dA, fA, "p_f_A", "round(rho*f_A)"),
                               sizes(w1.b, dB, fB, "p_f_B", "round(rho*f_B)"));
        down = kroneckerProducts(w2,
                                 {"c_proj_a", "c_proj_b"},
                                 t,
                                 r,
                                 sizes(w2.a, fA, dA, "p_d_A", "round(rho*d_A)"),
                                 sizes(w2.b, fB, dB, "p_d_B", "round(rho*d_B)"));
    }
};

/// Two small products per matrix, in the cheaper order (see kroneckerProducts()): all entries kept,
/// right factor first, mac T·R·(d·f₂ + d₁·f) for W₁ and T·R·(f·d₂ + f₁·d) for W₂; left factor
/// first, T·R·(d·f₁ + d₂·f) and T·R·(f·d₁ + f₂·d). The order of the operations in the tree is the
/// order chosen. Parameters R·(d₁·f₁ + d₂·f₂) for each matrix (+ f + d).
template <class N>
void addCost(const KroneckerFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const KroneckerFfnProducts<N> products(ffn, pass);
    const Bias bias = biasIf(ffn.bias);
    addKroneckerCost(products.up, bias, products.f, false, tree);
    if (ffn.activation != Activation::none) {
        const N n = pass.tokens() * products.f;
        tree.operation("activation", OpKind::activation, n, activationCost(ffn.activation, n));
    }
    addKroneckerCost(products.down, bias, pass.dModel, true, tree);
}

/// Twice the multiply-adds of the forward pass, then the activation's derivative.
template <class N>
void addBackwardCost(const KroneckerFfn& ffn, const Pass<N>& pass, CostTree<N>& tree)
{
    const KroneckerFfnProducts<N> products(ffn, pass);
    const Bias bias = biasIf(ffn.bias);
    addKroneckerBackwardCost(products.up, bias, products.f, tree);
    if (ffn.activation != Activation::none) {
        const N n = pass.tokens() * products.f;
        tree.operation(
            "activation", OpKind::activation, n, activationBackwardCost(ffn.activation, n));
    }
    addKroneckerBackwardCost(products.down, bias, pass.dModel, tree);
}

} // namespace flopsmith
