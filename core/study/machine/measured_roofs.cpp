// SPDX-License-Identifier: MIT
#include "core/study/machine/measured_roofs.h"

#include <algorithm>
#include <utility>

namespace flopsmith {
namespace {

NumberFormat formatOf(ComputePrecision precision)
{
    switch (precision) {
    case ComputePrecision::tf32: return NumberFormat::tf32;
    case ComputePrecision::bfloat16: return NumberFormat::bf16;
    case ComputePrecision::float16: return NumberFormat::fp16;
    case ComputePrecision::float32: break;
    }
    return NumberFormat::fp32;
}

std::vector<ComputePeak> productsOf(const PeaksMeasured& peaks)
{
    std::vector<ComputePeak> products{{NumberFormat::fp32, peaks.flopsPerSecond, peaks.sentence}};
    for (const ProductPeak& product : peaks.products) {
        if (product.precision != ComputePrecision::float32 && product.flopsPerSecond > 0.0) {
            products.push_back(
                {formatOf(product.precision), product.flopsPerSecond, peaks.sentence});
        }
    }
    return products;
}

std::vector<MemoryLevel> levelsOf(const PeaksMeasured& peaks, HardwareKind kind)
{
    std::vector<MemoryLevel> levels;
    for (const CachePeak& peak : peaks.caches) {
        const bool isOwn = kind == HardwareKind::cpu && (peak.name == "L1" || peak.name == "L2");
        levels.push_back({.name = peak.name,
                          .bytes = static_cast<double>(peak.bytes),
                          .bytesPerSecond = peak.bytesPerSecond,
                          .threads = peak.threads,
                          .isPrivate = isOwn});
    }
    std::erase_if(levels, [&](const MemoryLevel& level) {
        return level.name == "memory" && level.threads == peaks.threads;
    });
    levels.push_back(
        {.name = "memory", .bytesPerSecond = peaks.bytesPerSecond, .threads = peaks.threads});
    for (const CachePeak& peak : peaks.caches) {
        if (peak.name == "memory" && peak.threads == peaks.threads) {
            levels.back().bytes = static_cast<double>(peak.bytes);
        }
    }
    return levels;
}

} // namespace

MachineRoofs machineRoofs(const PeaksMeasured& peaks, std::string device, HardwareKind kind)
{
    return {.device = std::move(device),
            .kind = kind,
            .threads = peaks.threads,
            .products = productsOf(peaks),
            .levels = levelsOf(peaks, kind),
            .launchSeconds = peaks.launchSeconds,
            .measuredAt = peaks.measuredAt,
            .how = peaks.sentence};
}

RoofConditions roofConditions(ComputePrecision precision, CacheState cache)
{
    return {.format = formatOf(precision), .coldCaches = cache == CacheState::cold};
}

HardwareKind hardwareKindOf(const Described& described)
{
    return described.kind == "cpu" ? HardwareKind::cpu : HardwareKind::gpu;
}

} // namespace flopsmith
