// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/layer/activation.h"
#include "core/layer/variant_info.h"
#include "core/layer/weight_shape.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace flopsmith {

/// One side of a sum of Kronecker products: the factor matrices [in, out] of all terms, stacked to
/// [rank·in, out]. Of each row `kept` entries exist, at fixed columns.
struct KroneckerFactor
{
    int rank = 1; ///< terms
    int in = 1;
    int out = 1;
    int kept = 1;

    bool sparse() const { return kept < out; }
    std::int64_t rows() const { return std::int64_t{rank} * in; }
    std::int64_t entries() const { return rows() * kept; }

    /// How many of the columns [0, out) have an entry in one term, and in any term.
    std::int64_t coveredByOne() const
    {
        return std::min<std::int64_t>(out, std::int64_t{in} * kept);
    }
    std::int64_t coveredByAll() const { return std::min<std::int64_t>(out, entries()); }

    /// The columns of the entries, [rows(), kept], ascending in each row, drawn from a seed. They
    /// are dealt like cards: no column of a term gets a second entry before each has one, and
    /// columns that earlier terms left empty come first, so that coveredByOne() and coveredByAll()
    /// hold whatever the seed.
    std::vector<int> columns(int seed) const;
};

/// Which factor meets the input first; see KroneckerMatrix.
enum class KroneckerOrder {
    rightFirst, ///< X·B_r for every term, then Σ_r A_rᵀ·(X·B_r)
    leftFirst, ///< A_rᵀ·X for every term, then Σ_r (A_rᵀ·X)·B_r
};

/// W = Σ_r A_r ⊗ B_r with A_r [in₁, out₁] and B_r [in₂, out₂], never formed: a token x, read as
/// the matrix X [in₁, in₂], gives x·W = Σ_r A_rᵀ·X·B_r, read as [out₁, out₂].
struct KroneckerMatrix
{
    KroneckerFactor a;
    KroneckerFactor b;

    std::int64_t in() const { return std::int64_t{a.in} * b.in; }
    std::int64_t out() const { return std::int64_t{a.out} * b.out; }

    /// The order with fewer multiply-adds; right first if they are equal.
    KroneckerOrder order() const;

    /// Elements per token after the first product: [rank, in₁, out₂] or [rank, out₁, in₂].
    std::int64_t between() const
    {
        return a.rank
            * (order() == KroneckerOrder::rightFirst ? std::int64_t{a.in} * b.out
                                                     : std::int64_t{a.out} * b.in);
    }
};

/// The names of the two operations of a matrix; their order in the tree is the order of execution.
struct KroneckerNames
{
    std::string_view a; ///< the product with the left factors
    std::string_view b;
};

/// Kronecker FFN: y = act(x·W₁ + b₁)·W₂ + b₂ where both matrices are sums of R Kronecker products,
/// W₁ = Σ_r A_r ⊗ B_r with A_r [d₁, f₁], B_r [d₂, f₂], d = d₁·d₂, f = f₁·f₂, and W₂ the same with
/// rows and columns exchanged. Neither matrix is ever formed.
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

    /// Columns of the entries that a sparse factor keeps: [rows, kept], ascending in a row.
    std::vector<int> keptColumns(Factor which, int dModel) const;

    static const VariantInfo& info();
    static const std::vector<Field<KroneckerFfn>>& fields();
};

/// c_fc.a [R·d₁, p], c_fc.b [R·d₂, p], c_fc.bias, c_proj.a [R·f₁, p], c_proj.b [R·f₂, p],
/// c_proj.bias: the factors of all terms, stacked. p are the entries kept in each row: all columns
/// (f₁, f₂, d₁, d₂) or the round(ρ·columns) ≥ 1 of them that keptColumns() names.
WeightShapes weights(const KroneckerFfn& ffn, int dModel);

} // namespace flopsmith
