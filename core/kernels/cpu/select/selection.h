// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace flopsmith::cpu {

/// Which values were chosen, by the bits of their magnitudes, which order like these.
struct Largest
{
    std::int32_t least = 0; ///< all with such bits or more are …
    std::int32_t tiesEnd = 0; ///< … and, before this index, those with one less
};

/// Finds the k of n values with the largest magnitude; of equal magnitudes the lower indices, as the
/// reference does. Instead of sorting, it searches the magnitude that k values reach: the row before
/// or a sample says roughly where it lies, one pass packs what lies there, and counting passes over
/// that little find it. What the row before was changes how long it takes, not what it finds.
class LargestSearch
{
public:
    /// `scratch` [n].
    Largest operator()(const float* values, int n, int k, std::int32_t* scratch);

private:
    std::int32_t m_low = 0; ///< between these bits it is expected next; nowhere if they are equal
    std::int32_t m_high = 0;
};

/// Up to so many values, maskLargest() is faster.
inline constexpr int kFewValues = 32;

/// A single search, as a mask [n] of −1 (all bits) and 0.
void maskLargest(const float* values, int n, int k, std::int32_t* mask);

} // namespace flopsmith::cpu
