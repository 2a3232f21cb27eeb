// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace flopsmith::cpu {

/// Ordinary stores into the caches, or streaming (non-temporal) stores to memory for results that
/// would not stay in the caches anyway: these avoid reading the overwritten data.
enum class StoreKind { cached, streaming };

/// For so many floats that are written once, register by register.
inline StoreKind storeKindOf(const float* to, std::int64_t count)
{
    constexpr std::int64_t kFloats = (1 << 21) / sizeof(float); // the second-level cache
    constexpr std::uintptr_t kLine = 64; // registers end at its boundaries
    return count >= kFloats && reinterpret_cast<std::uintptr_t>(to) % kLine == 0
        ? StoreKind::streaming
        : StoreKind::cached;
}

} // namespace flopsmith::cpu
