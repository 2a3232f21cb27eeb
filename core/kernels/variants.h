// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/ffn/ffn.h"
#include "core/mixer/mixer.h"

#include <string>
#include <string_view>

namespace flopsmith {

/// Whether Spec is an FFN or a mixer of the registries. Each kind of device has a hasKernel<Spec> of
/// its own that begins with this, and one source per variant that defines its kernels.
template <class Spec>
inline constexpr bool isRegistered = false;

#define FLOPSMITH_IS_REGISTERED(Spec)                                                              \
    template <>                                                                                    \
    inline constexpr bool isRegistered<Spec> = true;
FLOPSMITH_FFN_VARIANTS(FLOPSMITH_IS_REGISTERED)
FLOPSMITH_MIXER_VARIANTS(FLOPSMITH_IS_REGISTERED)
#undef FLOPSMITH_IS_REGISTERED

/// For a device that only counts Spec; stands below its hasKernel.
#define FLOPSMITH_HAS_NO_KERNEL(Spec)                                                              \
    template <>                                                                                    \
    inline constexpr bool hasKernel<Spec> = false;

/// Why a variant that is in the registry of FFNs or mixers cannot be executed.
inline Error noKernelYet(std::string_view title)
{
    return Error{"There is no kernel for " + std::string(title)
                 + " yet: it is counted, but cannot be run"};
}

} // namespace flopsmith
