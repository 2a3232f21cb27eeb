// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/check.h"
#include "core/kernels/variants.h"

#include <type_traits>

namespace flopsmith::reference {

/// Whether a variant has kernels, forward and backward.
template <class Spec>
inline constexpr bool hasKernel = isRegistered<Spec>;

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
