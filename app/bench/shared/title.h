// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/operation.h"

#include <string>

namespace flopsmith::bench {

/// "Attention", "LM head": for sentences.
std::string titleOf(const Operation& operation);

} // namespace flopsmith::bench
