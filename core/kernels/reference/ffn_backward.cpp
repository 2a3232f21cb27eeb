// SPDX-License-Identifier: MIT
#include "core/ffn/ffn_variants.h"
#include "core/kernels/reference/ffn.h"
#include "core/kernels/reference/instantiate.h"

namespace flopsmith::reference {

template <class S>
void backward(const FfnSpec& ffn,
              const Shape& shape,
              WeightView<S> weights,
              std::span<const S> x,
              std::span<const S> dy,
              std::span<S> dx,
              GradientView<S> gradients)
{
    visitKernel(ffn,
                [&](const auto& spec) { backward<S>(spec, shape, weights, x, dy, dx, gradients); });
}

FLOPSMITH_INSTANTIATE_FFN_BACKWARD(FfnSpec)

} // namespace flopsmith::reference
