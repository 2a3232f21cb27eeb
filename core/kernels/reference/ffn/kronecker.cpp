// SPDX-License-Identifier: MIT
#include "core/ffn/factored/kronecker.h"

#include "core/kernels/reference/ffn.h"
#include "core/kernels/reference/ffn/two_layers.h"
#include "core/kernels/reference/instantiate.h"
#include "core/kernels/reference/linear.h"

#include <algorithm>

namespace flopsmith::reference {
namespace {

// Strides of an element by term, by feature (the index that the factor contracts or produces) and
// by the other index.
struct Strides
{
    std::size_t term;
    std::size_t feature;
    std::size_t other;

    std::size_t at(std::size_t r, std::size_t i, std::size_t o) const
    {
        return r * term + i * feature + o * other;
    }
};

// Multiplying by one side's factors: to[j, o] gets from[i, o] times each entry (i, j) of a term.
// A term stride of 0 reads the same input for every term, or sums over the terms.
struct FactorProduct
{
    // Tensor index: 0 for the left factors, 1 for the right ones.
    std::size_t weight = 0;
    KroneckerFactor factor;
    std::vector<int> columns;
    std::size_t others = 0;
    Strides from{};
    Strides to{};
    std::size_t inputs = 0; // per token
    std::size_t outputs = 0;

    // visit(entry, element of the input, element of the output)
    template <class Visit>
    void forEachTerm(Visit visit) const
    {
        const auto in = static_cast<std::size_t>(factor.in);
        const auto kept = static_cast<std::size_t>(factor.kept);
        for (std::size_t entry = 0; entry < columns.size(); ++entry) {
            const std::size_t row = entry / kept;
            const auto column = static_cast<std::size_t>(columns[entry]);
            for (std::size_t o = 0; o < others; ++o) {
                visit(entry, from.at(row / in, row % in, o), to.at(row / in, column, o));
            }
        }
    }
};

// Sums that start with their first term, which costs no addition; a sum without terms is 0.
template <class S>
class Sums
{
public:
    explicit Sums(std::span<S> values)
        : m_values(values)
        , m_started(values.size(), false)
    {
        std::fill(values.begin(), values.end(), S(0));
    }

    void add(std::size_t i, S term)
    {
        m_values[i] = m_started[i] ? m_values[i] + term : term;
        m_started[i] = true;
    }

private:
    std::span<S> m_values;
    std::vector<bool> m_started;
};

template <class S>
void multiply(const FactorProduct& product,
              const std::vector<S>& entries,
              std::span<const S> x,
              std::span<S> y)
{
    for (std::size_t t = 0; t * product.inputs < x.size(); ++t) {
        const auto from = x.subspan(t * product.inputs, product.inputs);
        Sums<S> sums(y.subspan(t * product.outputs, product.outputs));
        product.forEachTerm([&](std::size_t entry, std::size_t i, std::size_t j) {
            sums.add(j, from[i] * entries[entry]);
        });
    }
}

template <class S>
void multiplyBackward(const FactorProduct& product,
                      const std::vector<S>& entries,
                      std::span<const S> x,
                      std::span<const S> dy,
                      std::span<S> dx,
                      std::vector<S>& dEntries)
{
    Sums<S> entrySums(dEntries);
    for (std::size_t t = 0; t * product.inputs < x.size(); ++t) {
        const auto from = x.subspan(t * product.inputs, product.inputs);
        const auto dTo = dy.subspan(t * product.outputs, product.outputs);
        Sums<S> sums(dx.subspan(t * product.inputs, product.inputs));
        product.forEachTerm([&](std::size_t entry, std::size_t i, std::size_t j) {
            sums.add(i, dTo[j] * entries[entry]);
            entrySums.add(entry, from[i] * dTo[j]);
        });
    }
}

// x·W (+ b) as two products; the tensors of W are its left factors, its right ones, the bias.
struct KroneckerLayer
{
    FactorProduct first;
    FactorProduct second;
    bool bias;

    KroneckerLayer(const KroneckerMatrix& w, std::vector<int> a, std::vector<int> b, bool hasBias);

    std::size_t tensors() const { return bias ? 3 : 2; }

    template <class S>
    std::vector<S> between(WeightView<S> weights, std::span<const S> x) const
    {
        std::vector<S> values(x.size() / first.inputs * first.outputs);
        multiply<S>(first, weights[first.weight], x, values);
        return values;
    }

    template <class S>
    void forward(WeightView<S> weights, std::span<const S> x, std::span<S> y) const
    {
        multiply<S>(second, weights[second.weight], between(weights, x), y);
        for (std::size_t i = 0; bias && i < y.size(); ++i) {
            y[i] += weights[2][i % second.outputs];
        }
    }

    template <class S>
    void backward(WeightView<S> weights,
                  std::span<const S> x,
                  std::span<const S> dy,
                  std::span<S> dx,
                  GradientView<S> gradients) const
    {
        std::vector<S> middle;
        {
            const Uncounted scope;
            middle = between(weights, x);
        }
        std::vector<S> dMiddle(middle.size());
        multiplyBackward<S>(
            second, weights[second.weight], middle, dy, dMiddle, gradients[second.weight]);
        multiplyBackward<S>(first, weights[first.weight], x, dMiddle, dx, gradients[first.weight]);
        if (bias) {
            sumRows<S>(dy, gradients[2]);
        }
    }
};

KroneckerLayer::KroneckerLayer(const KroneckerMatrix& w,
                               std::vector<int> a,
                               std::vector<int> b,
                               bool hasBias)
    : bias(hasBias)
{
    const auto in1 = static_cast<std::size_t>(w.a.in);
    const auto in2 = static_cast<std::size_t>(w.b.in);
    const auto out1 = static_cast<std::size_t>(w.a.out);
    const auto out2 = static_cast<std::size_t>(w.b.out);
    const std::size_t in = in1 * in2;
    const std::size_t out = out1 * out2;
    const auto middle = static_cast<std::size_t>(w.between());
    if (w.order() == KroneckerOrder::rightFirst) { // X → X·B_r [R, in₁, out₂] → Y
        const std::size_t term = in1 * out2;
        first = {1, w.b, std::move(b), in1, {0, 1, in2}, {term, 1, out2}, in, middle};
        second = {0, w.a, std::move(a), out2, {term, out2, 1}, {0, out2, 1}, middle, out};
    } else { // X → A_rᵀ·X [R, out₁, in₂] → Y
        const std::size_t term = out1 * in2;
        first = {0, w.a, std::move(a), in2, {0, in2, 1}, {term, in2, 1}, in, middle};
        second = {1, w.b, std::move(b), out1, {term, 1, in2}, {0, 1, out2}, middle, out};
    }
}

TwoLayers<KroneckerLayer> layersOf(const KroneckerFfn& ffn, const Shape& shape)
{
    using Factor = KroneckerFfn::Factor;
    const int d = shape.dModel;
    return {.up = {ffn.up(d),
                   ffn.keptColumns(Factor::upA, d),
                   ffn.keptColumns(Factor::upB, d),
                   ffn.bias},
            .down = {ffn.down(d),
                     ffn.keptColumns(Factor::downA, d),
                     ffn.keptColumns(Factor::downB, d),
                     ffn.bias},
            .activation = ffn.activation,
            .hidden = shape.tokens() * static_cast<std::size_t>(ffn.dFf)};
}

} // namespace

template <class S>
void forward(const KroneckerFfn& ffn,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const S> x,
             std::span<S> y)
{
    layersOf(ffn, shape).template forward<S>(weights, x, y);
}

template <class S>
void backward(const KroneckerFfn& ffn,
              const Shape& shape,
              WeightView<S> weights,
              std::span<const S> x,
              std::span<const S> dy,
              std::span<S> dx,
              GradientView<S> gradients)
{
    layersOf(ffn, shape).template backward<S>(weights, x, dy, dx, gradients);
}

FLOPSMITH_INSTANTIATE_FFN(KroneckerFfn)
FLOPSMITH_INSTANTIATE_FFN_BACKWARD(KroneckerFfn)

} // namespace flopsmith::reference
