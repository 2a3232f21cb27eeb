// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/mixer.h"

#include "core/base/check.h"
#include "core/kernels/cuda/plan/operations.h"
#include "core/kernels/cuda/plan_kernel.h"
#include "core/kernels/cuda/planned.h"
#include "core/mixer/mixer_variants.h"

namespace flopsmith::cuda {

Tensor* planMixer(Plan& plan, const NoMixer& /*mixer*/, const MixerOnDevice& in)
{
    return zeros(plan, in.x->rows, in.x->columns);
}

Result<std::unique_ptr<Kernel>> prepare(const MixerSpec& mixer,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        const MixerInput& input,
                                        const Device& device,
                                        OptionalValues dy)
{
    FLOPSMITH_CHECK(shape.sequence >= 1 && shape.context >= shape.sequence);
    if (dy && shape.context != shape.sequence) {
        return Error{"The backward pass of " + std::string(info(mixer).title) + " has no "
                     + std::to_string(shape.context - shape.sequence)
                     + " cached keys: training sees whole sequences, so context must be sequence"};
    }
    const MixerOperands operands = operandsOf(mixer, shape);
    FLOPSMITH_CHECK(input.x.size() == operands.x);
    FLOPSMITH_CHECK(input.cachedKeys.size() == operands.cachedKeys);
    FLOPSMITH_CHECK(input.cachedValues.size() == operands.cachedValues);
    FLOPSMITH_CHECK(!dy || dy->size() == shape.activations());
    const auto build = [&](Plan& plan, Tensor* x, Tensors w) {
        const MixerOnDevice in{shape, x, w, input.cachedKeys, input.cachedValues};
        return plannedFor(mixer, [&](const auto& spec) { return planMixer(plan, spec, in); });
    };
    return planned(device, weights, input.x, shape.dModel, dy, build);
}

} // namespace flopsmith::cuda
