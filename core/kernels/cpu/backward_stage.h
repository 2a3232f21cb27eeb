// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gradient_output.h"
#include "core/kernels/cpu/stage.h"

namespace flopsmith::cpu {

/// The backward pass of an FFN of any kind. save() runs the forward pass and saves its activations;
/// it is not timed.
class BackwardStage
{
public:
    virtual ~BackwardStage() = default;
    BackwardStage() = default;
    BackwardStage(const BackwardStage&) = delete;
    BackwardStage& operator=(const BackwardStage&) = delete;

    /// The forward pass of training: y = stage(x), both [tokens, d]. x is borrowed until the last
    /// run() that follows.
    virtual void save(const float* x, float* y) = 0;

    /// Renews copies of the weights, where the stage keeps any. Called before save().
    virtual void weightsChanged() {}

    /// dx [tokens, d] and the gradients of the weights from dy [tokens, d], for the x of the last
    /// save(); all of them are overwritten. May be called repeatedly.
    virtual void run(const float* dy, float* dx) = 0;
};

/// One function per variant of the registry, in the source of its name. `weights` and the memory of
/// the `gradients` are borrowed; `gradients` begin with the stage's own, like `weights`.
#define FLOPSMITH_DECLARE_BACKWARD_STAGE(Spec)                                                     \
    Result<std::unique_ptr<BackwardStage>> makeBackwardStage(const Spec& ffn,                      \
                                                             const StageSize& size,                \
                                                             WeightView<float> weights,            \
                                                             GradientSpans gradients);
FLOPSMITH_FFN_VARIANTS(FLOPSMITH_DECLARE_BACKWARD_STAGE)
#undef FLOPSMITH_DECLARE_BACKWARD_STAGE

/// Of an FFN of any kind: an Error if it has no kernel.
Result<std::unique_ptr<BackwardStage>> makeBackwardStage(const FfnSpec& ffn,
                                                         const StageSize& size,
                                                         WeightView<float> weights,
                                                         GradientSpans gradients);

} // namespace flopsmith::cpu
