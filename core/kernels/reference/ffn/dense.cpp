// SPDX-License-Identifier: MIT
#include "core/ffn/dense.h"

#include "core/kernels/reference/activation.h"
#include "core/kernels/reference/ffn.h"
#include "core/kernels/reference/instantiate.h"
#include "core/kernels/reference/linear.h"

namespace flopsmith::reference {

template <class S>
void forward(const DenseFfn& ffn,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const S> x,
             std::span<S> y)
{
    const std::size_t tokens = shape.tokens();
    const std::vector<S>* inBias = ffn.bias ? &weights[1] : nullptr;
    const std::vector<S>& outWeight = weights[ffn.bias ? 2 : 1];
    const std::vector<S>* outBias = ffn.bias ? &weights[3] : nullptr;

    std::vector<S> hidden(tokens * static_cast<std::size_t>(ffn.dFf));
    linear<S>(tokens, x, weights[0], inBias, hidden);
    activate<S>(ffn.activation, hidden);
    linear<S>(tokens, hidden, outWeight, outBias, y);
}

template <class S>
void backward(const DenseFfn& ffn,
              const Shape& shape,
              WeightView<S> weights,
              std::span<const S> x,
              std::span<const S> dy,
              std::span<S> dx,
              GradientView<S> gradients)
{
    const std::size_t tokens = shape.tokens();
    const std::size_t out = ffn.bias ? 2 : 1; // tensor index of c_proj
    std::vector<S>* inBias = ffn.bias ? &gradients[1] : nullptr;
    std::vector<S>* outBias = ffn.bias ? &gradients[3] : nullptr;

    std::vector<S> before(tokens * static_cast<std::size_t>(ffn.dFf));
    std::vector<S> hidden;
    {
        const Uncounted scope;
        linear<S>(tokens, x, weights[0], ffn.bias ? &weights[1] : nullptr, before);
        hidden = before;
        activate<S>(ffn.activation, hidden);
    }
    std::vector<S> dHidden(hidden.size());
    linearBackward<S>(tokens, hidden, weights[out], dy, dHidden, gradients[out], outBias);
    activateBackward<S>(ffn.activation, before, dHidden);
    linearBackward<S>(tokens, x, weights[0], dHidden, dx, gradients[0], inBias);
}

FLOPSMITH_INSTANTIATE_FFN(DenseFfn)
FLOPSMITH_INSTANTIATE_FFN_BACKWARD(DenseFfn)

} // namespace flopsmith::reference
