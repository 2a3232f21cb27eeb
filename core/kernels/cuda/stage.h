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
#include <utility>

// Stages: the device's implementations of FFNs and mixers. All pointers are to device memory; run()
// and save() only enqueue. Failures throw as in failure.h.
namespace flopsmith::cuda {

/// Weights on the device, one span per tensor in the order of weights(spec, d). A stage of a
/// composition gets a view that begins with its own tensors.
using DeviceWeights = std::span<const DeviceSpan<const float>>;

/// Destinations of the gradients, in the same order.
using DeviceGradients = std::span<const DeviceSpan<float>>;

/// The tensor, or an empty one where it is absent.
inline DeviceSpan<const float> tensorAt(DeviceWeights weights, std::size_t place)
{
    return place == 0 ? DeviceSpan<const float>() : weights[place];
}

/// Sizes that a stage is prepared for.
struct StageSize
{
    std::int64_t tokens = 1;
    int dModel = 768;
    std::int64_t sequence = 1; ///< tokens of one sequence, for stages that read other tokens

    std::int64_t activations() const { return tokens * dModel; }
};

inline StageSize stageSizeOf(const Shape& shape)
{
    return {.tokens = static_cast<std::int64_t>(shape.tokens()),
            .dModel = shape.dModel,
            .sequence = shape.sequence};
}

/// A prepared FFN of any kind, alone or within a composition. Its constructor allocates everything
/// it needs.
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

/// The backward pass of an FFN or a mixer. save() saves the activations that it reads; it is
/// not timed and may wait and allocate.
class BackwardStage
{
public:
    virtual ~BackwardStage() = default;
    BackwardStage() = default;
    BackwardStage(const BackwardStage&) = delete;
    BackwardStage& operator=(const BackwardStage&) = delete;

    /// The forward pass of training: y = stage(x). x is borrowed until the last run() that follows.
    virtual void save(const float* x, float* y) = 0;

    /// Computes dx and the gradients of the weights from dy, for the x of the last save(), and
    /// overwrites them. Repeated calls give the same bits. Neither waits nor allocates.
    virtual void run(const float* dy, float* dx) = 0;
};

} // namespace flopsmith::cuda
