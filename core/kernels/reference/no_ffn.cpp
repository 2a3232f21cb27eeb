// SPDX-License-Identifier: MIT
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

FLOPSMITH_INSTANTIATE_FFN(NoFfn)

} // namespace flopsmith::reference
