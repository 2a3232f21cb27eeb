// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/explanation.h"

#include <span>

namespace flopsmith {

/// What people are told of token mixers and their parameters.
std::span<const Explanation> mixerExplanations();

} // namespace flopsmith
