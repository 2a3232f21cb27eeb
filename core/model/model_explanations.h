// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/explanation.h"

#include <span>

namespace flopsmith {

/// What people are told of models, blocks and workloads.
std::span<const Explanation> modelExplanations();

} // namespace flopsmith
