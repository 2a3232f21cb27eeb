// SPDX-License-Identifier: MIT
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

FLOPSMITH_INSTANTIATE_FFN(DenseFfn)

} // namespace flopsmith::reference
