// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/reference/activation.h"
#include "core/kernels/reference/counting_scalar.h"
#include "core/kernels/weights.h"

#include <cstddef>
#include <span>
#include <vector>

namespace flopsmith::reference {

/// An FFN of two linear layers, act(x·W₁ + b₁)·W₂ + b₂, whose matrices are products of factors. A
/// Layer has
///   forward(weights, x, y), backward(weights, x, dy, dx, gradients)  with its own tensors first
///   tensors()                                                        their number
/// The tensors of the second layer follow those of the first.
template <class Layer>
struct TwoLayers
{
    Layer up;
    Layer down;
    Activation activation;
    std::size_t hidden; ///< numbers between the layers, of all tokens

    template <class S>
    void forward(WeightView<S> weights, std::span<const S> x, std::span<S> y) const
    {
        std::vector<S> values(hidden);
        up.template forward<S>(weights, x, values);
        activate<S>(activation, values);
        down.template forward<S>(weights.subspan(up.tensors()), values, y);
    }

    template <class S>
    void backward(WeightView<S> weights,
                  std::span<const S> x,
                  std::span<const S> dy,
                  std::span<S> dx,
                  GradientView<S> gradients) const
    {
        std::vector<S> before(hidden);
        std::vector<S> values;
        {
            const Uncounted scope;
            up.template forward<S>(weights, x, before);
            values = before;
            activate<S>(activation, values);
        }
        std::vector<S> dValues(values.size());
        down.template backward<S>(
            weights.subspan(up.tensors()), values, dy, dValues, gradients.subspan(up.tensors()));
        activateBackward<S>(activation, before, dValues);
        up.template backward<S>(weights, x, dValues, dx, gradients);
    }
};

} // namespace flopsmith::reference
