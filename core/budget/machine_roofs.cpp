// SPDX-License-Identifier: MIT
#include "core/budget/machine_roofs.h"

#include <algorithm>
#include <utility>

namespace flopsmith {
namespace {

constexpr std::string_view kMemory = "memory";

} // namespace

Peaks MachineRoofs::peaks(NumberFormat format) const
{
    Peaks peaks;
    for (const ComputePeak& product : products) {
        peaks.flopsPerSecond =
            product.format == format ? product.flopsPerSecond : peaks.flopsPerSecond;
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

Precision RoofConditions::precision() const
{
    constexpr int kHalf = 16;
    return format == NumberFormat::bf16 ? Precision::of(kHalf) : Precision{};
}

RoofBound lowerBound(double flops,
                     double bytes,
                     const MachineRoofs& roofs,
                     const RoofConditions& conditions)
{
    Peaks peaks = roofs.peaks(conditions.format);
    std::string level(kMemory);
    const MemoryLevel* holding = conditions.coldCaches ? nullptr : roofs.levelHolding(bytes);
    // A cache that was measured slower than the memory raises no bound.
    if (holding != nullptr && holding->bytesPerSecond > peaks.bytesPerSecond) {
        peaks.bytesPerSecond = holding->bytesPerSecond;
        level = holding->name;
    }
    if (!roofs.peaks(conditions.format).known()) {
        return {};
    }
    const LowerBound bound = lowerBound(flops, bytes, peaks);
    return {.seconds = bound.seconds, .binding = bound.binding, .level = std::move(level)};
}

MachineRoofs roofsOf(const Peaks& peaks)
{
    MachineRoofs roofs;
    roofs.products = {{NumberFormat::fp32, peaks.flopsPerSecond, ""}};
    roofs.levels = {{.name = std::string(kMemory), .bytesPerSecond = peaks.bytesPerSecond}};
    return roofs;
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
