// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ffn/ffn.h"
#include "core/kernels/no_kernel.h"
#include "core/mixer/mixer.h"

#include <type_traits>
#include <utility>

// Every variant of the registries has a source here that defines its kernels, except those in this
// list, one X(Spec) each: they are counted and not executed.
#define FLOPSMITH_CPU_WITHOUT_KERNELS(X)

namespace flopsmith::cpu {

template <class Spec>
inline constexpr bool isWithoutKernels = false;

#define FLOPSMITH_IS_WITHOUT_KERNELS(Spec)                                                         \
    template <>                                                                                    \
    inline constexpr bool isWithoutKernels<Spec> = true;
FLOPSMITH_CPU_WITHOUT_KERNELS(FLOPSMITH_IS_WITHOUT_KERNELS)
#undef FLOPSMITH_IS_WITHOUT_KERNELS

/// Whether a variant has kernels, forward and backward.
template <class Spec>
inline constexpr bool hasKernel = false;

#define FLOPSMITH_HAS_KERNEL(Spec)                                                                 \
    template <>                                                                                    \
    inline constexpr bool hasKernel<Spec> = !isWithoutKernels<Spec>;
FLOPSMITH_FFN_VARIANTS(FLOPSMITH_HAS_KERNEL)
FLOPSMITH_MIXER_VARIANTS(FLOPSMITH_HAS_KERNEL)
#undef FLOPSMITH_HAS_KERNEL

/// make(spec) with the held FFN or mixer, a Result; an Error if that has no kernel.
template <class Variant, class Make>
auto madeFor(const Variant& variant, const Make& make)
{
    using Made = decltype(make(std::declval<const typename Variant::First&>()));
    return visit(
        [&](const auto& spec) -> Made {
            if constexpr (hasKernel<std::decay_t<decltype(spec)>>) {
                return make(spec);
            } else {
                return noKernelYet(info(variant).title);
            }
        },
        variant);
}

} // namespace flopsmith::cpu
