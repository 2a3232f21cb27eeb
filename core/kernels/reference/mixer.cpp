// SPDX-License-Identifier: MIT
#include "core/kernels/reference/mixer.h"

#include "core/kernels/reference/instantiate.h"

namespace flopsmith::reference {

template <class S>
void forward(const MixerSpec& mixer,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const S> x,
             std::span<const S> cachedKeys,
             std::span<const S> cachedValues,
             std::span<S> y)
{
    std::visit(
        [&](const auto& spec) { forward<S>(spec, shape, weights, x, cachedKeys, cachedValues, y); },
        mixer);
}

FLOPSMITH_INSTANTIATE_MIXER(MixerSpec)

} // namespace flopsmith::reference
