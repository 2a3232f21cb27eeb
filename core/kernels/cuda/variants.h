// SPDX-License-Identifier: MIT
#pragma once

#include "core/ffn/ffn.h"
#include "core/kernels/cuda/device/failure.h"
#include "core/kernels/no_kernel.h"
#include "core/mixer/mixer.h"

#include <type_traits>
#include <utility>

// Every variant of the registries has a source here that defines its kernels, but those named in this
// list, one X(Spec) each: they are counted and not executed.
#define FLOPSMITH_CUDA_WITHOUT_KERNELS(X)

namespace flopsmith::cuda {

/// Whether a variant has kernels, forward and backward.
template <class Spec>
inline constexpr bool hasKernel = true;

#define FLOPSMITH_HAS_NO_KERNEL(Spec)                                                              \
    template <>                                                                                    \
    inline constexpr bool hasKernel<Spec> = false;
FLOPSMITH_CUDA_WITHOUT_KERNELS(FLOPSMITH_HAS_NO_KERNEL)
#undef FLOPSMITH_HAS_NO_KERNEL

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

} // namespace flopsmith::cuda
