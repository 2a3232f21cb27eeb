// SPDX-License-Identifier: MIT
#include "core/kernels/reference/activation.h"
#include "core/kernels/reference/ffn.h"
#include "core/kernels/reference/instantiate.h"
#include "core/kernels/reference/linear.h"

namespace flopsmith::reference {

template <class S>
void forward(const GatedFfn& ffn,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const S> x,
             std::span<S> y)
{
    const std::size_t tokens = shape.tokens();
    const std::size_t stride = ffn.bias ? 2 : 1; // each matrix, then its bias if any
    const auto product = [&](std::size_t which, std::span<const S> from, std::span<S> to) {
        const std::vector<S>* bias = ffn.bias ? &weights[which * stride + 1] : nullptr;
        linear<S>(tokens, from, weights[which * stride], bias, to);
    };

    std::vector<S> gate(tokens * static_cast<std::size_t>(ffn.dFf));
    std::vector<S> hidden(gate.size());
    product(0, x, gate);
    product(1, x, hidden);
    activate<S>(ffn.activation, gate);
    for (std::size_t i = 0; i < hidden.size(); ++i) {
        hidden[i] *= gate[i];
    }
    product(2, hidden, y);
}

FLOPSMITH_INSTANTIATE_FFN(GatedFfn)

} // namespace flopsmith::reference
