// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/variants.h"

#include <type_traits>
#include <utility>

namespace flopsmith::cpu {

/// Whether a variant has kernels, forward and backward.
template <class Spec>
inline constexpr bool hasKernel = isRegistered<Spec>;

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
