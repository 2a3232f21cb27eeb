// SPDX-License-Identifier: MIT
#include "core/kernels/reference/activation.h"
#include "core/kernels/reference/ffn.h"
#include "core/kernels/reference/instantiate.h"
#include "core/kernels/reference/linear.h"

namespace flopsmith::reference {

namespace {

// One of the three products. Among the tensors each matrix is followed by its bias, if any.
template <class S>
void project(const GatedFfn& ffn,
             std::size_t which,
             std::size_t tokens,
             WeightView<S> weights,
             std::span<const S> from,
             std::span<S> to)
{
    const std::size_t at = which * (ffn.bias ? 2 : 1);
    linear<S>(tokens, from, weights[at], ffn.bias ? &weights[at + 1] : nullptr, to);
}

} // namespace

template <class S>
void forward(const GatedFfn& ffn,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const S> x,
             std::span<S> y)
{
    const std::size_t tokens = shape.tokens();
    std::vector<S> gate(tokens * static_cast<std::size_t>(ffn.dFf));
    std::vector<S> hidden(gate.size());
    project<S>(ffn, 0, tokens, weights, x, gate);
    project<S>(ffn, 1, tokens, weights, x, hidden);
    activate<S>(ffn.activation, gate);
    for (std::size_t i = 0; i < hidden.size(); ++i) {
        hidden[i] *= gate[i];
    }
    project<S>(ffn, 2, tokens, weights, hidden, y);
}

template <class S>
void backward(const GatedFfn& ffn,
              const Shape& shape,
              WeightView<S> weights,
              std::span<const S> x,
              std::span<const S> dy,
              std::span<S> dx,
              GradientView<S> gradients)
{
    const std::size_t tokens = shape.tokens();
    const auto projectBack = [&](std::size_t which,
                                 std::span<const S> from,
                                 std::span<const S> dTo,
                                 std::span<S> dFrom) {
        const std::size_t at = which * (ffn.bias ? 2 : 1);
        std::vector<S>* bias = ffn.bias ? &gradients[at + 1] : nullptr;
        linearBackward<S>(tokens, from, weights[at], dTo, dFrom, gradients[at], bias);
    };

    std::vector<S> before(tokens * static_cast<std::size_t>(ffn.dFf));
    std::vector<S> up(before.size());
    std::vector<S> gate;
    std::vector<S> hidden(before.size());
    {
        const Uncounted kept;
        project<S>(ffn, 0, tokens, weights, x, before);
        project<S>(ffn, 1, tokens, weights, x, up);
        gate = before;
        activate<S>(ffn.activation, gate);
        for (std::size_t i = 0; i < hidden.size(); ++i) {
            hidden[i] = gate[i] * up[i];
        }
    }
    std::vector<S> dHidden(hidden.size());
    projectBack(2, hidden, dy, dHidden);
    std::vector<S> dGate(hidden.size());
    for (std::size_t i = 0; i < hidden.size(); ++i) {
        dGate[i] = dHidden[i] * up[i];
        dHidden[i] *= gate[i]; // now the gradient of x·Wu
    }
    activateBackward<S>(ffn.activation, before, dGate);
    projectBack(0, x, dGate, dx);
    std::vector<S> throughUp(dx.size());
    projectBack(1, x, dHidden, throughUp);
    for (std::size_t i = 0; i < dx.size(); ++i) {
        dx[i] += throughUp[i];
    }
}

FLOPSMITH_INSTANTIATE_FFN(GatedFfn)
FLOPSMITH_INSTANTIATE_FFN_BACKWARD(GatedFfn)

} // namespace flopsmith::reference
