// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/plan/plan.h"
#include "core/kernels/cuda/variants.h"
#include "core/kernels/shape.h"

// The operations of every variant.
namespace flopsmith::cuda {

/// What an FFN reads: the activations [tokens, d], its weights, and how many tokens a sequence has.
struct FfnInput
{
    Tensor* x = nullptr;
    Tensors weights;
    std::int64_t sequence = 1;

    int dModel() const { return static_cast<int>(x->columns); }
};

/// In the source of the variant's name; returns y [tokens, d].
#define FLOPSMITH_DECLARE_CUDA_FFN(Spec)                                                           \
    Tensor* planFfn(Plan& plan, const Spec& ffn, const FfnInput& in);
FLOPSMITH_FFN_VARIANTS(FLOPSMITH_DECLARE_CUDA_FFN)
#undef FLOPSMITH_DECLARE_CUDA_FFN

Tensor* planFfn(Plan& plan, const FfnSpec& ffn, const FfnInput& in);

/// What a mixer reads, with the sizes of MixerOperands; without a cache empty.
struct MixerOnDevice
{
    Shape shape;
    Tensor* x = nullptr;
    Tensors weights;
    std::span<const float> cachedKeys; ///< on the host
    std::span<const float> cachedValues;
};

/// In the source of the variant's name; returns y [T, d], without the residual. A backward pass is
/// that of prefill (C = S).
#define FLOPSMITH_DECLARE_CUDA_MIXER(Spec)                                                         \
    Tensor* planMixer(Plan& plan, const Spec& mixer, const MixerOnDevice& in);
FLOPSMITH_MIXER_VARIANTS(FLOPSMITH_DECLARE_CUDA_MIXER)
#undef FLOPSMITH_DECLARE_CUDA_MIXER

} // namespace flopsmith::cuda
