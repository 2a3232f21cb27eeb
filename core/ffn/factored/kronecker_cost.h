// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/numbers.h"
#include "core/count/cost_tree.h"
#include "core/ffn/factored/kronecker.h"
#include "core/ffn/shared/index_list_cost.h"
#include "core/layer/activation_cost.h"
#include "core/layer/linear_cost.h"

#include <string_view>
#include <vector>

namespace flopsmith {

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
    bool sparse = false; ///< then a list of the entries' places is stored beside them

    /// mac, dot as they are; parameters: the entries, fixed: their columns.
    Cost<N> cost() const
    {
        Cost<N> cost{.count = {.mac = macs, .dot = dots},
                     .traffic = {.weights = entries, .read = inputs, .written = outputs},
                     .parameters = ParameterCount<N>::dense(entries)};
        if (sparse) {
            cost += indexListCost(entries);
        }
        return cost;
    }

    /// Each input gets the sum over the entries of its row, each entry the sum over the tokens:
    ///   mac twice the forward pass, dot inputs + entries
    Cost<N> backwardCost() const
    {
        Cost<N> cost{.count = {.mac = N(2) * macs, .dot = inputs + entries},
                     .traffic = {.weights = entries,
                                 .read = inputs + N(2) * outputs,
                                 .written = inputs,
                                 .gradients = entries}};
        if (sparse) {
            cost += indexListBackwardCost(entries);
        }
        return cost;
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
                 b.entries,
                 matrix.b.sparse()},
                {names.a,
                 tokens * a.entries * b.out,
                 tokens * a.coveredByAll * b.out,
                 between,
                 outputs,
                 a.entries,
                 matrix.a.sparse()}};
    }
    const N between = tokens * rank * a.out * b.in;
    return {{names.a,
             tokens * a.entries * b.in,
             tokens * rank * a.coveredByOne * b.in,
             inputs,
             between,
             a.entries,
             matrix.a.sparse()},
            {names.b,
             tokens * a.out * b.entries,
             tokens * a.out * b.coveredByAll,
             between,
             outputs,
             b.entries,
             matrix.b.sparse()}};
}

/// Adds both products; the bias (T·out add) belongs to the second. Saves the intermediate result
/// for the backward pass, and the input if `keepsInput`.
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
        second.traffic.vectors = out;
        second.parameters += ParameterCount<N>::ofVectors(out);
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
