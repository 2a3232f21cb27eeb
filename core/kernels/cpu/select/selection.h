// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace flopsmith::cpu {

/// Which values were chosen, by the bits of their magnitudes, which have the same order.
struct Largest
{
    std::int32_t minBits = 0; ///< all with these bits or more are chosen
    std::int32_t tiesEnd = 0; ///< and, before this index, values with minBits − 1
};

/// Finds the k of n values with the largest magnitude; among equal magnitudes the lower indices,
/// like the reference. Instead of sorting, it searches for the magnitude that k values reach: the
/// previous row or a sample gives a bracket, one pass packs the values inside it, and counting
/// passes over those find the magnitude. The previous row affects the time, not the result.
class LargestSearch
{
public:
    /// `scratch` [n].
    Largest operator()(const float* values, int n, int k, std::int32_t* scratch);

private:
    std::int32_t m_low = 0; ///< the bracket for the next row; none if both are equal
    std::int32_t m_high = 0;
};

/// Number of values up to which maskLargest() is faster.
inline constexpr int kFewValues = 32;

/// A single search, as a mask [n] of −1 (all bits) and 0.
void maskLargest(const float* values, int n, int k, std::int32_t* mask);

} // namespace flopsmith::cpu
