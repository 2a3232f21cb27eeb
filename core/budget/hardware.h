// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/base/result.h"
#include "core/budget/roofline.h"
#include "core/model/workload.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// The operand format of a matrix product: a device has a separate peak for each.
enum class NumberFormat { fp64, fp32, tf32, bf16, fp16, fp8, int8, fp4, int4 };

template <>
std::vector<std::string_view> enumNames<NumberFormat>();

enum class HardwareKind { gpu, tpu, cpu };

template <>
std::vector<std::string_view> enumNames<HardwareKind>();

/// A figure and its source.
struct SourcedFigure
{
    double value = 0.0;
    std::string source{};

    bool operator==(const SourcedFigure&) const = default;
};

/// Peak operations per second on operands of one format, with nothing skipped: dense, never the
/// figure for sparse matrices.
struct ComputePeak
{
    NumberFormat format = NumberFormat::fp32;
    double flopsPerSecond = 0.0;
    std::string source{};

    bool operator==(const ComputePeak&) const = default;
};

/// A device as its maker describes it, or as it was measured.
struct Hardware
{
    std::string id{}; ///< "a100-sxm-80gb": on the command line
    std::string name{};
    HardwareKind kind = HardwareKind::gpu;
    std::optional<SourcedFigure> memoryBytes{};
    SourcedFigure bytesPerSecond{}; ///< of its memory
    std::optional<SourcedFigure> watts{}; ///< the highest sustained power
    std::vector<ComputePeak> peaks{}; ///< at least one

    bool operator==(const Hardware&) const = default;

    const ComputePeak* peak(NumberFormat format) const;
};

/// The format in which this device computes with activations of these bits: fp32 for 32, bf16 (else
/// fp16) for 16, fp8 (else int8) for 8, fp4 (else int4) for 4; if it lacks that, the next wider.
/// Weights of fewer bits are widened before they are used. Null if no format is wide enough.
const ComputePeak* peakFor(const Hardware& hardware, const Precision& precision);

/// A device and the one of its peaks that is meant.
struct HardwarePeak
{
    Hardware hardware{};
    ComputePeak peak{};

    Peaks peaks() const { return {peak.flopsPerSecond, hardware.bytesPerSecond.value}; }
};

/// The peak of `format`, or without one the peak from peakFor(). The Error names the formats that
/// the device has.
Result<HardwarePeak> hardwarePeak(const Hardware& hardware,
                                  const Precision& precision,
                                  std::optional<NumberFormat> format = std::nullopt);

/// A device whose peaks were measured in single precision: `how` describes the measurement ("matrix
/// product of 1536 × 1536 × 1536, copy of 256 MiB").
Hardware measuredHardware(std::string name, HardwareKind kind, const Peaks& peaks, std::string how);

/// For narrow places, without its maker and what stands after a comma or in parentheses: "H100 SXM5
/// 80 GB".
std::string shortName(const Hardware& hardware);

/// The devices that come with the program (resources/hardware/hardware.json).
const std::vector<Hardware>& hardwareTable();

/// The device of the table with this id, or a sentence with the ids there are.
Result<Hardware> hardwareNamed(std::string_view id);

/// Reads a hardware file:
///   {"flopsmith_hardware": 1, "devices": [{"id", "name", "kind": "gpu" | "tpu" | "cpu",
///     "memory": {"gb", "source"}, "bandwidth": {"gb_per_s", "source"},
///     "power": {"watts", "source"},
///     "peaks": [{"format": "bf16", "tflops": 312, "dense": true, "source"}]}]}
/// memory and power may be missing; every number has a source, and every peak says that it is
/// dense. Gigabytes are 10^9 bytes. Refuses in one sentence that names `source` and the place.
Result<std::vector<Hardware>> hardwareFromText(std::string_view text, const std::string& source);

} // namespace flopsmith
