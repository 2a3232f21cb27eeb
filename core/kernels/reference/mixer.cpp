// SPDX-License-Identifier: MIT
#include "core/kernels/reference/mixer.h"

#include "core/base/check.h"
#include "core/kernels/mixer_operands.h"
#include "core/kernels/reference/instantiate.h"
#include "core/mixer/mixer_variants.h"

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
    const MixerOperands operands = operandsOf(mixer, shape);
    FLOPSMITH_CHECK(x.size() == operands.x);
    FLOPSMITH_CHECK(cachedKeys.size() == operands.cachedKeys);
    FLOPSMITH_CHECK(cachedValues.size() == operands.cachedValues);
    visitKernel(mixer, [&](const auto& spec) {
        forward<S>(spec, shape, weights, x, cachedKeys, cachedValues, y);
    });
}

template <class S>
void backward(const MixerSpec& mixer,
              const Shape& shape,
              WeightView<S> weights,
              std::span<const S> x,
              std::span<const S> dy,
              std::span<S> dx,
              GradientView<S> gradients)
{
    FLOPSMITH_CHECK(shape.context == shape.sequence);
    FLOPSMITH_CHECK(x.size() == operandsOf(mixer, shape).x && dx.size() == x.size());
    visitKernel(mixer,
                [&](const auto& spec) { backward<S>(spec, shape, weights, x, dy, dx, gradients); });
}

FLOPSMITH_INSTANTIATE_MIXER(MixerSpec)
FLOPSMITH_INSTANTIATE_BACKWARD(MixerSpec)

} // namespace flopsmith::reference
