// SPDX-License-Identifier: MIT
#include "core/ffn/no_ffn.h"

#include "core/kernels/reference/ffn.h"
#include "core/kernels/reference/instantiate.h"

#include <algorithm>

namespace flopsmith::reference {

template <class S>
void forward(const NoFfn& /*ffn*/,
             const Shape& /*shape*/,
             WeightView<S> /*weights*/,
             std::span<const S> /*x*/,
             std::span<S> y)
{
    std::fill(y.begin(), y.end(), S(0));
}

template <class S>
void backward(const NoFfn& /*ffn*/,
              const Shape& /*shape*/,
              WeightView<S> /*weights*/,
              std::span<const S> /*x*/,
              std::span<const S> /*dy*/,
              std::span<S> dx,
              GradientView<S> /*gradients*/)
{
    std::fill(dx.begin(), dx.end(), S(0));
}

FLOPSMITH_INSTANTIATE_FFN(NoFfn)
FLOPSMITH_INSTANTIATE_FFN_BACKWARD(NoFfn)

} // namespace flopsmith::reference
