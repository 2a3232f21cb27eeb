// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/check.h"
#include "core/ffn/ffn.h"
#include "core/mixer/mixer.h"

#include <type_traits>
#include <variant>

// The variants that have reference kernels. A line here needs a source that defines them. A variant
// of the registry that is missing here is counted but not executed.
#define FLOPSMITH_REFERENCE_FFNS(X)                                                                \
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

#define FLOPSMITH_REFERENCE_MIXERS(X)                                                              \
    X(NoMixer)                                                                                     \
    X(Attention)                                                                                   \
    X(LatentAttention)                                                                             \
    X(CrossAttention)                                                                              \
    X(FourierMixer)

namespace flopsmith::reference {

/// Whether a variant has kernels, forward and backward.
template <class Spec>
inline constexpr bool hasKernel = false;

#define FLOPSMITH_HAS_KERNEL(Spec)                                                                 \
    template <>                                                                                    \
    inline constexpr bool hasKernel<Spec> = true;
FLOPSMITH_REFERENCE_FFNS(FLOPSMITH_HAS_KERNEL)
FLOPSMITH_REFERENCE_MIXERS(FLOPSMITH_HAS_KERNEL)
#undef FLOPSMITH_HAS_KERNEL

/// Calls run(spec) with the held variant, which must have a kernel.
template <class Variant, class Run>
void visitKernel(const Variant& variant, const Run& run)
{
    std::visit(
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
