// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ffn/ffn.h"
#include "core/kernels/no_kernel.h"
#include "core/mixer/mixer.h"

#include <type_traits>
#include <variant>

// The variants that have kernels for this CPU: a line here goes with the source that defines them. A variant
// of the registry that is missing here is counted and not executed.
#define FLOPSMITH_CPU_FFNS(X)                                                                      \
    X(NoFfn)                                                                                       \
    X(DenseFfn)                                                                                    \
    X(GatedFfn)                                                                                    \
    X(LowRankFfn)                                                                                  \
    X(MoeFfn)                                                                                      \
    X(SpectralFfn)                                                                                 \
    X(PolynomialFfn)                                                                               \
    X(RandomProjectionFfn)                                                                         \
    X(TokenFeedbackFfn)                                                                            \
    X(MicroRefineFfn)                                                                              \
    X(KroneckerFfn)                                                                                \
    X(ComposedFfn)

#define FLOPSMITH_CPU_MIXERS(X)                                                                    \
    X(NoMixer)                                                                                     \
    X(Attention)                                                                                   \
    X(LatentAttention)                                                                             \
    X(CrossAttention)                                                                              \
    X(FourierMixer)

namespace flopsmith::cpu {

/// Whether there are kernels of a variant: forward and backward.
template <class Spec>
inline constexpr bool hasKernel = false;

#define FLOPSMITH_HAS_KERNEL(Spec)                                                                 \
    template <>                                                                                    \
    inline constexpr bool hasKernel<Spec> = true;
FLOPSMITH_CPU_FFNS(FLOPSMITH_HAS_KERNEL)
FLOPSMITH_CPU_MIXERS(FLOPSMITH_HAS_KERNEL)
#undef FLOPSMITH_HAS_KERNEL

/// make(spec) with what the FFN or mixer is, a Result; an Error if that has no kernel.
template <class Variant, class Make>
auto madeFor(const Variant& variant, const Make& make)
{
    using Made = decltype(make(std::get<0>(variant)));
    return std::visit(
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
