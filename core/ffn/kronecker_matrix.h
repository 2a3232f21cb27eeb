// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/count.h"
#include "core/count/cost_tree.h"
#include "core/count/numbers.h"
#include "core/layer/linear.h"

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

    /// Per token, what the first product gives: [rank, in₁, out₂] or [rank, out₁, in₂].
    std::int64_t between() const
    {
        return a.rank
            * (order() == KroneckerOrder::rightFirst ? std::int64_t{a.in} * b.out
                                                     : std::int64_t{a.out} * b.in);
    }
};

/// Sizes of a factor as formula numbers.
template <class N>
struct KroneckerFactorSizes
{
    N in;
    N out;
    N kept;
    N entries; ///< rank·in·kept
    N coveredByOne;
    N coveredByAll;
};

/// `kept` gets a letter of its own only if it is not `out`.
template <class N>
KroneckerFactorSizes<N> factorSizes(const KroneckerFactor& factor,
                                    const N& rank,
                                    const N& in,
                                    const N& out,
                                    std::string_view keptSymbol,
                                    std::string_view keptMeaning,
                                    const Numbers<N>& numbers)
{
    const N kept = factor.sparse() ? numbers(keptSymbol, factor.kept, keptMeaning) : out;
    const N entries = rank * in * kept;
    return {in,
            out,
            kept,
            entries,
            factor.coveredByOne() == factor.out ? out : N(in * kept),
            factor.coveredByAll() == factor.out ? out : entries};
}

/// The names of the two operations of a matrix; the order in which they stand in the tree is the
/// one in which they are executed.
struct KroneckerNames
{
    std::string_view a; ///< the product with the left factors
    std::string_view b;
};

/// One of the two products, by class. `macs`: multiply-adds; `inputs`, `outputs`: activations it
/// reads and writes; `dots`: outputs that have a term at all.
template <class N>
struct KroneckerProduct
{
    std::string_view name;
    N macs;
    N dots;
    N inputs;
    N outputs;
    N entries; ///< of its factor

    /// mac, dot as they are; parameters: the entries.
    Cost<N> cost() const
    {
        return {.count = {.mac = macs, .dot = dots},
                .traffic = {.weights = entries, .read = inputs, .written = outputs},
                .parameters = ParameterCount<N>::dense(entries)};
    }

    /// Each input gets the sum over the entries of its row, each entry the sum over the tokens:
    ///   mac twice those of the forward pass, dot inputs + entries
    Cost<N> backwardCost() const
    {
        return {.count = {.mac = N(2) * macs, .dot = inputs + entries},
                .traffic = {.weights = entries,
                            .read = inputs + N(2) * outputs,
                            .written = inputs,
                            .gradients = entries}};
    }
};

/// The products of a Kronecker matrix in the order of their execution. Per token, with factors
/// stacked over the R terms, p₁ and p₂ entries kept in each of their rows (all: p = out):
///   right first  X·B        mac R·in₁·in₂·p₂        dot R·in₁·min(out₂, in₂·p₂)
///                Aᵀ·(X·B)   mac R·in₁·p₁·out₂       dot out₂·min(out₁, R·in₁·p₁)
///   left first   Aᵀ·X       mac R·in₁·p₁·in₂        dot R·in₂·min(out₁, in₁·p₁)
///                (Aᵀ·X)·B   mac R·in₂·p₂·out₁       dot out₁·min(out₂, R·in₂·p₂)
/// The sum over the terms is part of the second product's dot products. An output without an entry
/// in its column is 0 and no dot product.
template <class N>
std::vector<KroneckerProduct<N>> kroneckerProducts(const KroneckerMatrix& matrix,
                                                   const KroneckerNames& names,
                                                   const N& tokens,
                                                   const N& rank,
                                                   const KroneckerFactorSizes<N>& a,
                                                   const KroneckerFactorSizes<N>& b)
{
    const N inputs = tokens * a.in * b.in;
    const N outputs = tokens * a.out * b.out;
    if (matrix.order() == KroneckerOrder::rightFirst) {
        const N between = tokens * rank * a.in * b.out;
        return {{names.b,
                 tokens * a.in * b.entries,
                 tokens * rank * a.in * b.coveredByOne,
                 inputs,
                 between,
                 b.entries},
                {names.a,
                 tokens * a.entries * b.out,
                 tokens * a.coveredByAll * b.out,
                 between,
                 outputs,
                 a.entries}};
    }
    const N between = tokens * rank * a.out * b.in;
    return {{names.a,
             tokens * a.entries * b.in,
             tokens * rank * a.coveredByOne * b.in,
             inputs,
             between,
             a.entries},
            {names.b,
             tokens * a.out * b.entries,
             tokens * a.out * b.coveredByAll,
             between,
             outputs,
             b.entries}};
}

/// Adds both products; the bias (T·out add) belongs to the second. What lies between them is kept
/// for the backward pass, and what goes in if `keepsInput`.
template <class N>
void addKroneckerCost(const std::vector<KroneckerProduct<N>>& products,
                      Bias bias,
                      const N& out,
                      bool keepsInput,
                      CostTree<N>& tree)
{
    Cost<N> first = products[0].cost();
    first.saved = keepsInput ? products[0].inputs : N(0);
    tree.operation(products[0].name, OpKind::linear, products[0].outputs, first);
    Cost<N> second = products[1].cost();
    second.saved = products[1].inputs;
    if (bias == Bias::present) {
        second.count.add = products[1].outputs;
        second.traffic.weights += out;
        second.parameters += ParameterCount<N>::dense(out);
    }
    tree.operation(products[1].name, OpKind::linear, products[1].outputs, second);
}

/// The gradient of the bias takes (T−1)·out add.
template <class N>
void addKroneckerBackwardCost(const std::vector<KroneckerProduct<N>>& products,
                              Bias bias,
                              const N& out,
                              CostTree<N>& tree)
{
    tree.operation(
        products[0].name, OpKind::linear, products[0].inputs, products[0].backwardCost());
    Cost<N> second = products[1].backwardCost();
    if (bias == Bias::present) {
        second.count.add = products[1].outputs - out;
        second.traffic.read += products[1].outputs;
        second.traffic.gradients += out;
    }
    tree.operation(products[1].name, OpKind::linear, products[1].inputs, second);
}

} // namespace flopsmith
