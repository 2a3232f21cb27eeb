// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace flopsmith::cpu {

/// Where results go: into the caches, or past them to memory if they would not stay there anyway,
/// which spares reading what is overwritten.
enum class Writing { intoCaches, passingBy };

/// For so many floats that are written once, register by register.
inline Writing writingOf(const float* to, std::int64_t count)
{
    constexpr std::int64_t kFloats = (1 << 21) / sizeof(float); // the second-level cache
    constexpr std::uintptr_t kLine = 64; // registers end at its boundaries
    return count >= kFloats && reinterpret_cast<std::uintptr_t>(to) % kLine == 0
        ? Writing::passingBy
        : Writing::intoCaches;
}

} // namespace flopsmith::cpu
