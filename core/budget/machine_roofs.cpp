// SPDX-License-Identifier: MIT
#include "core/budget/machine_roofs.h"

#include <algorithm>

namespace flopsmith {
namespace {

constexpr std::string_view kMemory = "memory";

} // namespace

Peaks MachineRoofs::peaks() const
{
    Peaks peaks;
    for (const ComputePeak& product : products) {
        peaks.flopsPerSecond =
            product.format == NumberFormat::fp32 ? product.flopsPerSecond : peaks.flopsPerSecond;
    }
    for (const MemoryLevel& level : levels) {
        const bool isOurs = level.name == kMemory && level.threads == threads;
        peaks.bytesPerSecond = isOurs ? level.bytesPerSecond : peaks.bytesPerSecond;
    }
    return peaks;
}

std::vector<MemoryLevel> MachineRoofs::caches() const
{
    std::vector<MemoryLevel> caches;
    std::copy_if(
        levels.begin(), levels.end(), std::back_inserter(caches), [this](const MemoryLevel& level) {
            return level.name != kMemory && level.threads == threads && level.bytesPerSecond > 0.0;
        });
    return caches;
}

const MemoryLevel* MachineRoofs::levelHolding(double bytes) const
{
    for (const MemoryLevel& level : levels) {
        const bool holds = level.name == kMemory || level.capacity() >= bytes;
        if (holds && level.threads == threads && level.bytesPerSecond > 0.0) {
            return &level;
        }
    }
    return nullptr;
}

Hardware hardwareOf(const MachineRoofs& roofs)
{
    Hardware hardware = measuredHardware(roofs.device, roofs.kind, roofs.peaks(), roofs.how);
    for (const ComputePeak& product : roofs.products) {
        if (product.format != NumberFormat::fp32) {
            hardware.peaks.push_back(product);
            hardware.peaks.back().source = hardware.peaks.front().source;
        }
    }
    return hardware;
}

} // namespace flopsmith
