// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/mixing.h"
#include "core/kernels/cuda/stage.h"

#include <string>

// What stands where a variant has no source in this folder; see sources.cmake.
#define FLOPSMITH_MISSING_FFN(Spec)                                                                \
    std::unique_ptr<Stage> makeStage(const Spec&, const StageSize&, DeviceWeights, const Device&)  \
    {                                                                                              \
        throw DeviceFailure("The GPU has no kernel for " + std::string(Spec::info().title));       \
    }                                                                                              \
    std::unique_ptr<BackwardStage> makeBackwardStage(                                              \
        const Spec&, const StageSize&, DeviceWeights, DeviceGradients, const Device&)              \
    {                                                                                              \
        throw DeviceFailure("The GPU has no kernel for " + std::string(Spec::info().title));       \
    }

#define FLOPSMITH_MISSING_MIXER(Spec)                                                              \
    std::unique_ptr<Mixing> makeMixing(const Spec&, const Shape&, DeviceWeights, const Device&)    \
    {                                                                                              \
        throw DeviceFailure("The GPU has no kernel for " + std::string(Spec::info().title));       \
    }                                                                                              \
    std::unique_ptr<BackwardStage> makeMixingBackward(                                             \
        const Spec&, const Shape&, DeviceWeights, DeviceGradients, const Device&)                  \
    {                                                                                              \
        throw DeviceFailure("The GPU has no kernel for " + std::string(Spec::info().title));       \
    }
