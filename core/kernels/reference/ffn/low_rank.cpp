// SPDX-License-Identifier: MIT
#include "core/ffn/factored/low_rank.h"

#include "core/kernels/reference/ffn.h"
#include "core/kernels/reference/ffn/two_layers.h"
#include "core/kernels/reference/instantiate.h"
#include "core/kernels/reference/linear.h"

namespace flopsmith::reference {
namespace {

// x·U·V (+ b); the tensors are U, V and, if there is one, the bias.
struct LowRankLayer
{
    std::size_t tokens;
    std::size_t rank;
    bool bias;

    std::size_t tensors() const { return bias ? 3 : 2; }

    template <class S>
    std::vector<S> downProjected(WeightView<S> weights, std::span<const S> x) const
    {
        std::vector<S> middle(tokens * rank);
        linear<S>(tokens, x, weights[0], nullptr, middle);
        return middle;
    }

    template <class S>
    void forward(WeightView<S> weights, std::span<const S> x, std::span<S> y) const
    {
        const auto middle = downProjected(weights, x);
        linear<S>(tokens, middle, weights[1], bias ? &weights[2] : nullptr, y);
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
            middle = downProjected(weights, x);
        }
        std::vector<S> dMiddle(middle.size());
        std::vector<S>* dBias = bias ? &gradients[2] : nullptr;
        linearBackward<S>(tokens, middle, weights[1], dy, dMiddle, gradients[1], dBias);
        linearBackward<S>(tokens, x, weights[0], dMiddle, dx, gradients[0], nullptr);
    }
};

TwoLayers<LowRankLayer> layersOf(const LowRankFfn& ffn, const Shape& shape)
{
    const LowRankLayer layer{shape.tokens(), static_cast<std::size_t>(ffn.rank), ffn.bias};
    return {.up = layer,
            .down = layer,
            .activation = ffn.activation,
            .hidden = shape.tokens() * static_cast<std::size_t>(ffn.dFf)};
}

} // namespace

template <class S>
void forward(const LowRankFfn& ffn,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const S> x,
             std::span<S> y)
{
    layersOf(ffn, shape).template forward<S>(weights, x, y);
}

template <class S>
void backward(const LowRankFfn& ffn,
              const Shape& shape,
              WeightView<S> weights,
              std::span<const S> x,
              std::span<const S> dy,
              std::span<S> dx,
              GradientView<S> gradients)
{
    layersOf(ffn, shape).template backward<S>(weights, x, dy, dx, gradients);
}

FLOPSMITH_INSTANTIATE_FFN(LowRankFfn)
FLOPSMITH_INSTANTIATE_FFN_BACKWARD(LowRankFfn)

} // namespace flopsmith::reference
