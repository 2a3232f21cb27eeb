// SPDX-License-Identifier: MIT
#include "core/ffn/factored/kronecker.h"

#include "core/kernels/cuda/plan/operations.h"
#include "core/kernels/cuda/planned.h"

namespace flopsmith::cuda {
namespace {

// Strides of element (term, row, column) of the stacked factors in the dense matrix.
struct Strides
{
    Index term;
    Index row;
    Index column;
};

// The factors of all terms as one dense matrix [in, out], ordered so that the output of one product
// is the input of the other; entries that a sparse factor does not keep are zeros.
Tensor* stacked(Plan& plan,
                const KroneckerFactor& factor,
                const std::vector<int>& columns,
                const Strides& strides,
                Tensor* entries,
                Index in,
                Index out)
{
    std::vector<Index> places;
    for (std::size_t entry = 0; entry < columns.size(); ++entry) {
        const auto row = static_cast<Index>(entry) / factor.kept;
        places.push_back(row / factor.in * strides.term + row % factor.in * strides.row
                         + columns[entry] * strides.column);
    }
    return scattered(plan, entries, places, in, out);
}

// y = x·F, features contiguous: one large product of [tokens·others, in].
Tensor* along(Plan& plan, Tensor* x, Tensor* factor, Index in, Index out)
{
    const Index rows = x->elements() / in;
    Tensor* const y = plan.tensor(x->rows, x->columns / in * out);
    product(plan, {rows, in, out}, {x, in}, {factor, out}, {y, out});
    return y;
}

// The same of features that are `others` apart.
Tensor* across(Plan& plan, Tensor* x, Tensor* factor, Index in, Index out)
{
    const Index others = x->columns / in;
    Tensor* const y = along(plan, turned(plan, x, in, others), factor, in, out);
    return turned(plan, y, others, out);
}

// Right first, X·B_r gives [in₁, R, out₂] and the left factors are [in₁·R, out₁]; left first,
// A_rᵀ·X gives [out₁, R, in₂] and the right factors are [R·in₂, out₂] as they are stored.
Tensor* kroneckerProduct(Plan& plan,
                         const KroneckerMatrix& m,
                         const std::vector<int>& keptA,
                         const std::vector<int>& keptB,
                         Tensor* x,
                         Tensors w)
{
    const Index rank = m.a.rank;
    if (m.order() == KroneckerOrder::rightFirst) {
        const Index wide = rank * m.b.out;
        Tensor* const b = stacked(plan, m.b, keptB, {m.b.out, wide, 1}, w[1], m.b.in, wide);
        Tensor* const a =
            stacked(plan, m.a, keptA, {m.a.out, rank * m.a.out, 1}, w[0], m.a.in * rank, m.a.out);
        return across(plan, along(plan, x, b, m.b.in, wide), a, m.a.in * rank, m.a.out);
    }
    const Index wide = rank * m.a.out;
    Tensor* const a = stacked(plan, m.a, keptA, {1, wide, rank}, w[0], m.a.in, wide);
    Tensor* const b = stacked(
        plan, m.b, keptB, {Index{m.b.in} * m.b.out, m.b.out, 1}, w[1], rank * m.b.in, m.b.out);
    return along(plan, across(plan, x, a, m.a.in, wide), b, rank * m.b.in, m.b.out);
}

} // namespace

Tensor* planFfn(Plan& plan, const KroneckerFfn& ffn, const FfnInput& in)
{
    using Which = KroneckerFfn::Factor;
    const int d = in.dModel();
    const std::size_t each = ffn.bias ? 3 : 2; // left factors, right ones, b
    const Tensors w = in.weights;
    const auto kept = [&](Which which) { return ffn.keptColumns(which, d); };
    Tensor* const up =
        kroneckerProduct(plan, ffn.up(d), kept(Which::upA), kept(Which::upB), in.x, w);
    addBias(plan, up, ffn.bias ? w[2] : nullptr);
    Tensor* const hidden = activated(plan, ffn.activation, up);
    Tensor* const y = kroneckerProduct(
        plan, ffn.down(d), kept(Which::downA), kept(Which::downB), hidden, w.subspan(each));
    addBias(plan, y, ffn.bias ? w[each + 2] : nullptr);
    return y;
}

} // namespace flopsmith::cuda
