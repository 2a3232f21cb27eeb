// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/plan/plan.h"
#include "core/kernels/cuda/variants.h"
#include "core/kernels/shape.h"

#include <type_traits>
#include <utility>

// The operations of every variant.
namespace flopsmith::cuda {

/// Calls plan(spec) with the held variant; throws DeviceFailure if it has no kernel.
template <class Variant, class Plan>
auto plannedFor(const Variant& variant, const Plan& plan)
{
    using Made = decltype(plan(std::declval<const typename Variant::First&>()));
    return visit(
        [&](const auto& spec) -> Made {
            if constexpr (hasKernel<std::decay_t<decltype(spec)>>) {
                return plan(spec);
            } else {
                throw DeviceFailure(noKernelYet(info(variant).title).message);
            }
        },
        variant);
}

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
