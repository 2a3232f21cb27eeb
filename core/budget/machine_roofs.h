// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/hardware.h"

#include <cstdint>
#include <string>
#include <vector>

namespace flopsmith {

/// What one level of a machine's memory moves at best.
struct MemoryLevel
{
    std::string name{}; ///< "L1", "L2", "L3", "memory"
    double bytes = 0.0; ///< of one instance of the level
    double bytesPerSecond = 0.0; ///< read and written, by all threads together
    int threads = 1; ///< that moved them side by side, each in its own part
    bool isPrivate =
        false; ///< each core has one: what threads hold together is as many times larger

    double capacity() const { return isPrivate ? bytes * threads : bytes; }

    bool operator==(const MemoryLevel&) const = default;
};

/// The roofs of a machine as they were measured on it.
struct MachineRoofs
{
    std::string device{}; ///< "this CPU"
    HardwareKind kind = HardwareKind::cpu;
    int threads = 1;
    std::vector<ComputePeak> products{}; ///< single precision first
    std::vector<MemoryLevel> levels{}; ///< smallest first, the memory last; also on fewer threads
    double launchSeconds = 0.0; ///< of a step that does nothing; 0 if it was not measured
    std::int64_t measuredAt = 0; ///< seconds since 1970 (UTC); 0 if nobody says
    std::string how{}; ///< "single precision product of …, copy of …"

    /// The best single precision product and the memory.
    Peaks peaks() const;

    /// The levels on all threads, the memory left out.
    std::vector<MemoryLevel> caches() const;

    /// The smallest level whose capacity, on all threads, is at least `bytes`; the memory if none
    /// is. Null while the memory's bandwidth is unknown.
    const MemoryLevel* levelHolding(double bytes) const;

    bool operator==(const MachineRoofs&) const = default;
};

/// The machine as a device that computed bounds can stand on: its products by format and its memory,
/// every figure with "measured: …" as its source.
Hardware hardwareOf(const MachineRoofs& roofs);

} // namespace flopsmith
