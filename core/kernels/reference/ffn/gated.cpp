// SPDX-License-Identifier: MIT
#include "core/ffn/gated.h"

#include "core/kernels/reference/activation.h"
#include "core/kernels/reference/clamp.h"
#include "core/kernels/reference/ffn.h"
#include "core/kernels/reference/instantiate.h"
#include "core/kernels/reference/linear.h"

#include <utility>
#include <vector>

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

// The two projections: x·Wg, the input of the activation, and x·Wu.
template <class S>
struct Factors
{
    std::vector<S> gate;
    std::vector<S> up;
};

template <class S>
Factors<S> projected(const GatedFfn& ffn,
                     std::size_t tokens,
                     WeightView<S> weights,
                     std::span<const S> x)
{
    Factors<S> factors;
    factors.gate.resize(tokens * static_cast<std::size_t>(ffn.dFf));
    factors.up.resize(factors.gate.size());
    project<S>(ffn, 0, tokens, weights, x, factors.gate);
    project<S>(ffn, 1, tokens, weights, x, factors.up);
    return factors;
}

// Both within the limit, x·Wu with its offset.
template <class S>
Factors<S> limited(const GateValues& values, Factors<S> factors)
{
    for (std::size_t i = 0; values.limits() && i < factors.gate.size(); ++i) {
        factors.gate[i] = atMost(factors.gate[i], values.limit);
        factors.up[i] = within(factors.up[i], values.limit);
    }
    if (values.upOffset != 0.0) {
        for (S& value : factors.up) {
            value = S(valueOf(value) + values.upOffset); // part of the bias, so not counted
        }
    }
    return factors;
}

// Turns gradients of the limited factors into those of the projected ones.
template <class S>
void limitedBackward(const GateValues& values, const Factors<S>& factors, Factors<S>& gradients)
{
    for (std::size_t i = 0; values.limits() && i < factors.gate.size(); ++i) {
        if (valueOf(factors.gate[i]) > values.limit) {
            gradients.gate[i] = S(0);
        }
        gradients.up[i] = withinBackward(factors.up[i], gradients.up[i], values.limit);
    }
}

template <class S>
std::vector<S> activatedGate(const GatedFfn& ffn, std::vector<S> gate)
{
    for (S& value : gate) {
        value = ffn.activation == Activation::silu ? silu(value, ffn.gate.siluSlope)
                                                   : activated(ffn.activation, value);
    }
    return gate;
}

template <class S>
void activatedGateBackward(const GatedFfn& ffn,
                           const std::vector<S>& gate,
                           std::vector<S>& gradients)
{
    for (std::size_t i = 0; i < gate.size(); ++i) {
        gradients[i] = ffn.activation == Activation::silu
            ? siluBackward(gate[i], gradients[i], ffn.gate.siluSlope)
            : activationBackward(ffn.activation, gate[i], gradients[i]);
    }
}

template <class S>
std::vector<S> product(std::vector<S> a, const std::vector<S>& b)
{
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] *= b[i];
    }
    return a;
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
    Factors<S> factors = limited(ffn.activeGate(), projected<S>(ffn, tokens, weights, x));
    const std::vector<S> gate = activatedGate(ffn, std::move(factors.gate));
    project<S>(ffn, 2, tokens, weights, product(std::move(factors.up), gate), y);
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

    Factors<S> before;
    Factors<S> factors;
    std::vector<S> gate;
    std::vector<S> hidden;
    {
        const Uncounted scope;
        before = projected<S>(ffn, tokens, weights, x);
        factors = limited(ffn.activeGate(), before);
        gate = activatedGate(ffn, factors.gate);
        hidden = product(gate, factors.up);
    }
    std::vector<S> dHidden(hidden.size());
    projectBack(2, hidden, dy, dHidden);
    Factors<S> d{product(dHidden, factors.up), product(dHidden, gate)};
    activatedGateBackward(ffn, factors.gate, d.gate);
    limitedBackward(ffn.activeGate(), before, d);
    projectBack(0, x, d.gate, dx);
    std::vector<S> throughUp(dx.size());
    projectBack(1, x, d.up, throughUp);
    for (std::size_t i = 0; i < dx.size(); ++i) {
        dx[i] += throughUp[i];
    }
}

FLOPSMITH_INSTANTIATE_FFN(GatedFfn)
FLOPSMITH_INSTANTIATE_FFN_BACKWARD(GatedFfn)

} // namespace flopsmith::reference
