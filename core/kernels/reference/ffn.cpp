// SPDX-License-Identifier: MIT
#include "core/kernels/reference/ffn.h"

#include "core/ffn/ffn_variants.h"
#include "core/kernels/reference/instantiate.h"

namespace flopsmith::reference {

template <class S>
void forward(const FfnSpec& ffn,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const S> x,
             std::span<S> y)
{
    visitKernel(ffn, [&](const auto& spec) { forward<S>(spec, shape, weights, x, y); });
}

FLOPSMITH_INSTANTIATE_FFN(FfnSpec)

} // namespace flopsmith::reference
