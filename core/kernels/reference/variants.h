// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/check.h"
#include "core/ffn/ffn.h"
#include "core/mixer/mixer.h"

#include <type_traits>

// Every variant of the registries has a source here that defines its kernels, except those in this
// list, one X(Spec) each: they are counted and not executed.
#define FLOPSMITH_REFERENCE_WITHOUT_KERNELS(X)

namespace flopsmith::reference {

template <class Spec>
inline constexpr bool isWithoutKernels = false;

#define FLOPSMITH_IS_WITHOUT_KERNELS(Spec)                                                         \
    template <>                                                                                    \
    inline constexpr bool isWithoutKernels<Spec> = true;
FLOPSMITH_REFERENCE_WITHOUT_KERNELS(FLOPSMITH_IS_WITHOUT_KERNELS)
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

/// Whether the held variant has kernels.
template <class... Specs>
bool isExecuted(const VariantHandle<Specs...>& variant)
{
    static constexpr bool kHasKernel[] = {hasKernel<Specs>...};
    return kHasKernel[variant.index()];
}

/// Calls run(spec) with the held variant, which must have a kernel.
template <class Variant, class Run>
void visitKernel(const Variant& variant, const Run& run)
{
    visit(
        [&](const auto& spec) {
            constexpr bool kHasKernel = hasKernel<std::decay_t<decltype(spec)>>;
            FLOPSMITH_CHECK(kHasKernel);
            if constexpr (kHasKernel) {
                run(spec);
            }
        },
        variant);
}

} // namespace flopsmith::reference
