// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace flopsmith::cpu {

/// Asks for a row before it is needed: rows that stand apart are too short for the processor to
/// foresee. It may lie beyond the end of its matrix.
inline void prefetchRow(const float* row, std::int64_t count)
{
    for (std::int64_t i = 0; i < count; i += 16) { // a cache line
        __builtin_prefetch(row + i);
    }
}

} // namespace flopsmith::cpu
