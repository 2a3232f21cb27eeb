// SPDX-License-Identifier: MIT
#include "core/ffn/factored/monarch.h"

#include "core/kernels/reference/ffn.h"
#include "core/kernels/reference/ffn/two_layers.h"
#include "core/kernels/reference/instantiate.h"
#include "core/kernels/reference/linear.h"

namespace flopsmith::reference {
namespace {

// Calls visit(input, output, element of the weight) for every entry, an output's in the order of
// its inputs.
template <class Visit>
void forEachEntry(const BlockFactor& factor, Visit visit)
{
    for (int block = 0; block < factor.blocks; ++block) {
        for (int i = 0; i < factor.blockIn(); ++i) {
            for (int o = 0; o < factor.blockOut(); ++o) {
                const int input = block * factor.inputStep() + i * factor.stride();
                const int output = block * factor.outputStep() + o * factor.stride();
                visit(i == 0,
                      o == 0,
                      static_cast<std::size_t>(input),
                      static_cast<std::size_t>(output),
                      static_cast<std::size_t>(i) * static_cast<std::size_t>(factor.out)
                          + static_cast<std::size_t>(block * factor.blockOut() + o));
            }
        }
    }
}

template <class S>
void multiply(const BlockFactor& factor,
              const std::vector<S>& weight,
              std::span<const S> x,
              std::span<S> y)
{
    const auto in = static_cast<std::size_t>(factor.in);
    const auto out = static_cast<std::size_t>(factor.out);
    for (std::size_t t = 0; t * in < x.size(); ++t) {
        const auto from = x.subspan(t * in, in);
        const auto to = y.subspan(t * out, out);
        forEachEntry(
            factor,
            [&](bool firstTerm, bool, std::size_t input, std::size_t output, std::size_t entry) {
                accumulate(to[output], from[input] * weight[entry], firstTerm);
            });
    }
}

template <class S>
void multiplyBackward(const BlockFactor& factor,
                      const std::vector<S>& weight,
                      std::span<const S> x,
                      std::span<const S> dy,
                      std::span<S> dx,
                      std::vector<S>& dWeight)
{
    const auto in = static_cast<std::size_t>(factor.in);
    const auto out = static_cast<std::size_t>(factor.out);
    for (std::size_t t = 0; t * in < x.size(); ++t) {
        const auto from = x.subspan(t * in, in);
        const auto dFrom = dx.subspan(t * in, in);
        const auto dTo = dy.subspan(t * out, out);
        forEachEntry(
            factor,
            [&](bool, bool firstTerm, std::size_t input, std::size_t output, std::size_t entry) {
                accumulate(dFrom[input], dTo[output] * weight[entry], firstTerm);
                accumulate(dWeight[entry], from[input] * dTo[output], t == 0);
            });
    }
}

// x·W (+ b); the tensors of W are its two factors and the bias.
struct MonarchLayer
{
    MonarchMatrix matrix;
    bool bias;

    std::size_t tensors() const { return bias ? 3 : 2; }

    template <class S>
    std::vector<S> between(WeightView<S> weights, std::span<const S> x) const
    {
        const std::size_t tokens = x.size() / static_cast<std::size_t>(matrix.in());
        std::vector<S> values(tokens * static_cast<std::size_t>(matrix.width()));
        multiply<S>(matrix.first, weights[0], x, values);
        return values;
    }

    template <class S>
    void forward(WeightView<S> weights, std::span<const S> x, std::span<S> y) const
    {
        multiply<S>(matrix.second, weights[1], between(weights, x), y);
        for (std::size_t i = 0; bias && i < y.size(); ++i) {
            y[i] += weights[2][i % weights[2].size()];
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
        multiplyBackward<S>(matrix.second, weights[1], middle, dy, dMiddle, gradients[1]);
        multiplyBackward<S>(matrix.first, weights[0], x, dMiddle, dx, gradients[0]);
        if (bias) {
            sumRows<S>(dy, gradients[2]);
        }
    }
};

TwoLayers<MonarchLayer> layersOf(const MonarchFfn& ffn, const Shape& shape)
{
    return {.up = {ffn.up(shape.dModel), ffn.bias},
            .down = {ffn.down(shape.dModel), ffn.bias},
            .activation = ffn.activation,
            .hidden = shape.tokens() * static_cast<std::size_t>(ffn.dFf)};
}

} // namespace

template <class S>
void forward(const MonarchFfn& ffn,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const S> x,
             std::span<S> y)
{
    layersOf(ffn, shape).template forward<S>(weights, x, y);
}

template <class S>
void backward(const MonarchFfn& ffn,
              const Shape& shape,
              WeightView<S> weights,
              std::span<const S> x,
              std::span<const S> dy,
              std::span<S> dx,
              GradientView<S> gradients)
{
    layersOf(ffn, shape).template backward<S>(weights, x, dy, dx, gradients);
}

FLOPSMITH_INSTANTIATE_FFN(MonarchFfn)
FLOPSMITH_INSTANTIATE_FFN_BACKWARD(MonarchFfn)

} // namespace flopsmith::reference
