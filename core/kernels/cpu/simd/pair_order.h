// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace flopsmith::cpu {

/// Whether the two parts of a pair are stored in order or exchanged.
enum class PairOrder : std::size_t { inOrder = 0, exchanged = 1 };

} // namespace flopsmith::cpu
