// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/device/device.h"
#include "core/kernels/cuda/device/failure.h"
#include "core/kernels/cuda/variants.h"
#include "core/kernels/no_kernel.h"
#include "core/kernels/shape.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <variant>

// What FFNs and mixers are made of on the device. All pointers here are the device's; run() and
// remember() only enqueue. Everything throws as failure.h says.
namespace flopsmith::cuda {

/// Weights on the device, one per tensor in the order of weights(spec, d); a stage of a composition
/// gets those that begin with its own.
using DeviceWeights = std::span<const DeviceSpan<const float>>;

/// Where their gradients are written, likewise.
using DeviceGradients = std::span<const DeviceSpan<float>>;

/// The tensor, or an empty one where it is absent.
inline DeviceSpan<const float> tensorAt(DeviceWeights weights, std::size_t place)
{
    return place == 0 ? DeviceSpan<const float>() : weights[place];
}

/// What a stage is prepared for.
struct StageSize
{
    std::int64_t tokens = 1;
    int dModel = 768;
    std::int64_t sequence = 1; ///< tokens of one sequence, for stages that look at neighbours

    std::int64_t activations() const { return tokens * dModel; }
};

inline StageSize stageSizeOf(const Shape& shape)
{
    return {.tokens = static_cast<std::int64_t>(shape.tokens()),
            .dModel = shape.dModel,
            .sequence = shape.sequence};
}

/// An FFN of any kind, ready to run: the unit that FFN kernels and compositions are made of.
/// Whatever it needs is allocated when it is made.
class Stage
{
public:
    virtual ~Stage() = default;
    Stage() = default;
    Stage(const Stage&) = delete;
    Stage& operator=(const Stage&) = delete;

    /// y = stage(x), both [tokens, d]; they do not overlap. Never waits for the device and never
    /// allocates, so that it can be captured in a graph.
    virtual void run(const float* x, float* y) = 0;
};

/// The backward pass of an FFN or a mixer. What it needs from the forward pass is kept by
/// remember(), which is not part of what is timed and may wait and allocate.
class BackwardStage
{
public:
    virtual ~BackwardStage() = default;
    BackwardStage() = default;
    BackwardStage(const BackwardStage&) = delete;
    BackwardStage& operator=(const BackwardStage&) = delete;

    /// The forward pass of training: y = stage(x). x is borrowed until the last run() that follows.
    virtual void remember(const float* x, float* y) = 0;

    /// dx and the gradients of the weights from dy, for the x of the last remember(); all of them
    /// are overwritten. May be called again and again, and gives the same bits each time. Neither
    /// waits nor allocates.
    virtual void run(const float* dy, float* dx) = 0;
};

/// make(spec) with what the FFN or mixer is; throws DeviceFailure if that has no kernel.
template <class Variant, class Make>
auto madeFor(const Variant& variant, const Make& make)
{
    using Made = decltype(make(std::get<0>(variant)));
    return std::visit(
        [&](const auto& spec) -> Made {
            if constexpr (hasKernel<std::decay_t<decltype(spec)>>) {
                return make(spec);
            } else {
                throw DeviceFailure(noKernelYet(info(variant).title).message);
            }
        },
        variant);
}

/// One pair per variant of variants.h, in the source of its name. Weights and gradients are
/// borrowed.
#define FLOPSMITH_DECLARE_CUDA_STAGE(Spec)                                                         \
    std::unique_ptr<Stage> makeStage(                                                              \
        const Spec& ffn, const StageSize& size, DeviceWeights weights, const Device& device);      \
    std::unique_ptr<BackwardStage> makeBackwardStage(const Spec& ffn,                              \
                                                     const StageSize& size,                        \
                                                     DeviceWeights weights,                        \
                                                     DeviceGradients gradients,                    \
                                                     const Device& device);
FLOPSMITH_CUDA_FFNS(FLOPSMITH_DECLARE_CUDA_STAGE)
#undef FLOPSMITH_DECLARE_CUDA_STAGE

std::unique_ptr<Stage> makeStage(const FfnSpec& ffn,
                                 const StageSize& size,
                                 DeviceWeights weights,
                                 const Device& device);
std::unique_ptr<BackwardStage> makeBackwardStage(const FfnSpec& ffn,
                                                 const StageSize& size,
                                                 DeviceWeights weights,
                                                 DeviceGradients gradients,
                                                 const Device& device);

} // namespace flopsmith::cuda
