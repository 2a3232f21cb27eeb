// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/hardware.h"

#include <cstdint>
#include <string>
#include <vector>

namespace flopsmith {

/// The best measured bandwidth of one level of a machine's memory.
struct MemoryLevel
{
    std::string name{}; ///< "L1", "L2", "L3", "memory"
    double bytes = 0.0; ///< of one instance of the level
    double bytesPerSecond = 0.0; ///< read and written, by all threads together
    int threads = 1; ///< that moved them side by side, each in its own part
    bool isPrivate =
        false; ///< each core has one: the capacity of several threads is as many times larger

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
    double launchSeconds = 0.0; ///< of an empty step; 0 if it was not measured
    std::int64_t measuredAt = 0; ///< seconds since 1970 (UTC); 0 if unknown
    std::string how{}; ///< "single precision product of …, copy of …"

    /// The best product in this format and the memory.
    Peaks peaks(NumberFormat format = NumberFormat::fp32) const;

    /// The levels on all threads, the memory left out.
    std::vector<MemoryLevel> caches() const;

    /// The smallest level whose capacity, on all threads, is at least `bytes`; the memory if none
    /// is large enough. Null while the memory's bandwidth is unknown.
    const MemoryLevel* levelHolding(double bytes) const;

    bool operator==(const MachineRoofs&) const = default;
};

/// The format of a measured part and the state of the caches at the beginning of a run: they decide
/// which of a machine's roofs apply.
struct RoofConditions
{
    NumberFormat format = NumberFormat::fp32; ///< of the operands of products
    bool coldCaches = false; ///< its operands are in no cache; otherwise as the last run left them

    /// The bits of each operand, chosen so that the lower bound is never too high.
    Precision precision() const;

    bool operator==(const RoofConditions&) const = default;
};

/// The least time that a machine's measured roofs allow, and the roof that limits it.
struct RoofBound
{
    double seconds = 0.0;
    Binding binding = Binding::unknown;
    std::string level{}; ///< "L2", "memory": the level whose bandwidth applies; empty while unknown

    bool operator==(const RoofBound&) const = default;
};

/// max(FLOPs / peak of the format, bytes / bandwidth) for one run that touches so many bytes. With
/// hot caches the bandwidth is that of the smallest level that holds all of them, since a run may
/// find them there; with cold ones it is the memory's. Unknown without the peak or the memory's
/// bandwidth.
RoofBound lowerBound(double flops,
                     double bytes,
                     const MachineRoofs& roofs,
                     const RoofConditions& conditions = {});

/// The roofs of a machine with only two known peaks: matrix product and memory.
MachineRoofs roofsOf(const Peaks& peaks);

/// The machine as a device for computed bounds: its products by format and its memory, with
/// "measured: …" as the source of every figure.
Hardware hardwareOf(const MachineRoofs& roofs);

} // namespace flopsmith
