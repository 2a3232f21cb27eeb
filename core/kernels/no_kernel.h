// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>

namespace flopsmith {

/// Why a variant that is in the registry of FFNs or mixers cannot be executed.
inline Error noKernelYet(std::string_view title)
{
    return Error{"There is no kernel for " + std::string(title)
                 + " yet: it is counted, but cannot be run"};
}

} // namespace flopsmith
