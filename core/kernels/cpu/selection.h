// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace flopsmith::cpu {

/// mask[i] = −1 (all bits) for the k of n values with the largest magnitude, 0 for the others;
/// of equal magnitudes the lower indices are kept, as the reference does. Instead of sorting, it
/// searches the magnitude that k values reach, halving the range of bit patterns (which order
/// like the magnitudes) and counting a register at a time.
void maskLargest(const float* values, int n, int k, std::int32_t* mask);

} // namespace flopsmith::cpu
