// SPDX-License-Identifier: MIT
#include "core/measure/clock.h"

#include <chrono>

namespace flopsmith {

Clock steadyClock()
{
    // Relative to the first call, so that a double resolves nanoseconds for months, whatever the
    // uptime.
    const auto start = std::chrono::steady_clock::now();
    return [start] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
}

} // namespace flopsmith
