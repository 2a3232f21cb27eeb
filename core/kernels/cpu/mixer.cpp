// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer.h"

#include "core/kernels/cpu/preparation.h"

namespace flopsmith::cpu {

Result<std::unique_ptr<Kernel>> prepare(const MixerSpec& mixer,
                                        const Shape& shape,
                                        WeightView<float> weights,
                                        const MixerInput& input,
                                        Threads threads)
{
    FLOPSMITH_CHECK(shape.sequence >= 1 && shape.context >= shape.sequence);
    FLOPSMITH_CHECK(input.x.size() == shape.activations());
    FLOPSMITH_CHECK(input.cachedKeys.size() == cachedElements(mixer, shape));
    FLOPSMITH_CHECK(input.cachedValues.size() == input.cachedKeys.size());
    return std::visit(
        [&](const auto& spec) { return prepare(spec, shape, weights, input, threads); }, mixer);
}

std::size_t cachedElements(const MixerSpec& mixer, const Shape& shape)
{
    const auto* attention = std::get_if<Attention>(&mixer);
    if (attention == nullptr) {
        return 0;
    }
    return static_cast<std::size_t>(shape.batch)
        * static_cast<std::size_t>(shape.context - shape.sequence)
        * static_cast<std::size_t>(attention->kvHeads)
        * static_cast<std::size_t>(attention->headDimFor(shape.dModel));
}

Count bytesNeeded(const MixerSpec& mixer, const Shape& shape, Threads threads)
{
    const Count workspace =
        std::visit([&](const auto& spec) { return workspaceBytes(spec, shape, threads); }, mixer);
    return bytesOf(weights(mixer, shape.dModel)) + 2 * floatBytes(shape.activations())
        + 2 * floatBytes(cachedElements(mixer, shape)) + workspace;
}

} // namespace flopsmith::cpu
