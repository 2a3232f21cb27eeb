// SPDX-License-Identifier: MIT
#include "core/kernels/reference/activation.h"
#include "core/kernels/reference/ffn.h"
#include "core/kernels/reference/instantiate.h"
#include "core/kernels/reference/linear.h"

namespace flopsmith::reference {
namespace {

// The tensors are U, V and, if there is one, the bias: y = x·U·V (+ b). This is x·U.
template <class S>
std::vector<S> downProjected(std::size_t tokens,
                             std::size_t rank,
                             WeightView<S> weights,
                             std::span<const S> x)
{
    std::vector<S> middle(tokens * rank);
    linear<S>(tokens, x, weights[0], nullptr, middle);
    return middle;
}

template <class S>
void forwardLayer(const LowRankFfn& ffn,
                  std::size_t tokens,
                  WeightView<S> weights,
                  std::span<const S> x,
                  std::span<S> y)
{
    const auto middle = downProjected(tokens, static_cast<std::size_t>(ffn.rank), weights, x);
    linear<S>(tokens, middle, weights[1], ffn.bias ? &weights[2] : nullptr, y);
}

template <class S>
void backwardLayer(const LowRankFfn& ffn,
                   std::size_t tokens,
                   WeightView<S> weights,
                   std::span<const S> x,
                   std::span<const S> dy,
                   std::span<S> dx,
                   GradientView<S> gradients)
{
    std::vector<S> middle;
    {
        const Uncounted kept;
        middle = downProjected(tokens, static_cast<std::size_t>(ffn.rank), weights, x);
    }
    std::vector<S> dMiddle(middle.size());
    std::vector<S>* bias = ffn.bias ? &gradients[2] : nullptr;
    linearBackward<S>(tokens, middle, weights[1], dy, dMiddle, gradients[1], bias);
    linearBackward<S>(tokens, x, weights[0], dMiddle, dx, gradients[0], nullptr);
}

// Tensors of the first layer; those of the second follow.
std::size_t tensorsOfUp(const LowRankFfn& ffn)
{
    return ffn.bias ? 3 : 2;
}

} // namespace

template <class S>
void forward(const LowRankFfn& ffn,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const S> x,
             std::span<S> y)
{
    const std::size_t tokens = shape.tokens();
    std::vector<S> hidden(tokens * static_cast<std::size_t>(ffn.dFf));
    forwardLayer<S>(ffn, tokens, weights, x, hidden);
    activate<S>(ffn.activation, hidden);
    forwardLayer<S>(ffn, tokens, weights.subspan(tensorsOfUp(ffn)), hidden, y);
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
    const std::size_t tokens = shape.tokens();
    const std::size_t ofUp = tensorsOfUp(ffn);

    std::vector<S> before(tokens * static_cast<std::size_t>(ffn.dFf));
    std::vector<S> hidden;
    {
        const Uncounted kept;
        forwardLayer<S>(ffn, tokens, weights, x, before);
        hidden = before;
        activate<S>(ffn.activation, hidden);
    }
    std::vector<S> dHidden(hidden.size());
    backwardLayer<S>(
        ffn, tokens, weights.subspan(ofUp), hidden, dy, dHidden, gradients.subspan(ofUp));
    activateBackward<S>(ffn.activation, before, dHidden);
    backwardLayer<S>(ffn, tokens, weights, x, dHidden, dx, gradients);
}

FLOPSMITH_INSTANTIATE_FFN(LowRankFfn)
FLOPSMITH_INSTANTIATE_FFN_BACKWARD(LowRankFfn)

} // namespace flopsmith::reference
