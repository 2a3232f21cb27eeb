// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/plan/plan.h"
#include "core/kernels/cuda/variants.h"
#include "core/kernels/shape.h"

namespace flopsmith::cuda {

/// What an FFN reads: the activations [tokens, d], its weights, and how many tokens a sequence has.
struct FfnInput
{
    Tensor* x = nullptr;
    Tensors weights;
    std::int64_t sequence = 1;

    int dModel() const { return static_cast<int>(x->columns); }
};

/// The operations of a variant, in the source of its name; returns y [tokens, d].
#define FLOPSMITH_DECLARE_CUDA_FFN(Spec)                                                           \
    Tensor* planFfn(Plan& plan, const Spec& ffn, const FfnInput& in);
FLOPSMITH_FFN_VARIANTS(FLOPSMITH_DECLARE_CUDA_FFN)
#undef FLOPSMITH_DECLARE_CUDA_FFN

} // namespace flopsmith::cuda
