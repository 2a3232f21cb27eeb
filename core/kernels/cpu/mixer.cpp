// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer.h"

#include "core/kernels/cpu/preparation.h"
#include "core/mixer/mixer_variants.h"

namespace flopsmith::cpu {

Result<std::unique_ptr<Kernel>> prepare(const MixerSpec& mixer,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        const MixerInput& input,
                                        Threads threads,
                                        Precision precision)
{
    FLOPSMITH_CHECK(shape.sequence >= 1 && shape.context >= shape.sequence);
    const MixerOperands operands = operandsOf(mixer, shape);
    FLOPSMITH_CHECK(input.x.size() == operands.x);
    FLOPSMITH_CHECK(input.cachedKeys.size() == operands.cachedKeys);
    FLOPSMITH_CHECK(input.cachedValues.size() == operands.cachedValues);
    FLOPSMITH_RETURN_IF_ERROR(computesProductsIn(precision));
    return madeFor(mixer, [&](const auto& spec) {
        return prepare(spec, shape, weights, input, threads, precision);
    });
}

Result<std::unique_ptr<TrainingKernel>> prepareBackward(const MixerSpec& mixer,
                                                        const Shape& shape,
                                                        WeightView<float> weights,
                                                        std::span<const float> x,
                                                        std::span<const float> dy,
                                                        Threads threads,
                                                        Precision precision)
{
    FLOPSMITH_CHECK(dy.size() == shape.activations());
    if (shape.context != shape.sequence) {
        return Error{"The backward pass of " + std::string(info(mixer).title) + " has no "
                     + std::to_string(shape.context - shape.sequence)
                     + " cached keys: training sees whole sequences, so context must be sequence"};
    }
    FLOPSMITH_CHECK(x.size() == operandsOf(mixer, shape).x);
    FLOPSMITH_RETURN_IF_ERROR(computesProductsIn(precision));
    return madeFor(mixer, [&](const auto& spec) {
        return prepareBackward(spec, shape, weights, x, dy, threads, precision);
    });
}

} // namespace flopsmith::cpu
