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

Result<std::unique_ptr<Kernel>> prepareBackward(const MixerSpec& mixer,
                                                const Shape& shape,
                                                WeightView<float> weights,
                                                std::span<const float> x,
                                                std::span<const float> dy,
                                                Threads threads)
{
    FLOPSMITH_CHECK(x.size() == shape.activations() && dy.size() == x.size());
    if (shape.context != shape.sequence) {
        return Error{"The backward pass of " + std::string(info(mixer).title) + " has no "
                     + std::to_string(shape.context - shape.sequence)
                     + " cached keys: training sees whole sequences, so context must be sequence"};
    }
    return std::visit(
        [&](const auto& spec) { return prepareBackward(spec, shape, weights, x, dy, threads); },
        mixer);
}

Count bytesNeededBackward(const MixerSpec& mixer, const Shape& shape, Threads threads)
{
    const Count workspace = std::visit(
        [&](const auto& spec) { return backwardWorkspaceBytes(spec, shape, threads); }, mixer);
    return 2 * bytesOf(weights(mixer, shape.dModel)) + 3 * floatBytes(shape.activations())
        + workspace;
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
