// SPDX-License-Identifier: MIT
#include "core/mixer/no_mixer.h"

#include "core/kernels/reference/instantiate.h"
#include "core/kernels/reference/mixer.h"

#include <algorithm>

namespace flopsmith::reference {

template <class S>
void forward(const NoMixer& /*mixer*/,
             const Shape& /*shape*/,
             WeightView<S> /*weights*/,
             std::span<const S> /*x*/,
             std::span<const S> /*cachedKeys*/,
             std::span<const S> /*cachedValues*/,
             std::span<S> y)
{
    std::fill(y.begin(), y.end(), S(0));
}

template <class S>
void backward(const NoMixer& /*mixer*/,
              const Shape& /*shape*/,
              WeightView<S> /*weights*/,
              std::span<const S> /*x*/,
              std::span<const S> /*dy*/,
              std::span<S> dx,
              GradientView<S> /*gradients*/)
{
    std::fill(dx.begin(), dx.end(), S(0));
}

FLOPSMITH_INSTANTIATE_MIXER(NoMixer)
FLOPSMITH_INSTANTIATE_BACKWARD(NoMixer)

} // namespace flopsmith::reference
