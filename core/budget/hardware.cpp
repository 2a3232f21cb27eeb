// SPDX-License-Identifier: MIT
#include "core/budget/hardware.h"

#include "core/budget/hardware_resource.h"

#include <algorithm>
#include <array>

namespace flopsmith {

template <>
std::vector<std::string_view> enumNames<NumberFormat>()
{
    return {"fp64", "fp32", "tf32", "bf16", "fp16", "fp8", "int8", "fp4", "int4"};
}

template <>
std::vector<std::string_view> enumNames<HardwareKind>()
{
    return {"gpu", "tpu", "cpu"};
}

const ComputePeak* Hardware::peak(NumberFormat format) const
{
    const auto found = std::find_if(peaks.begin(), peaks.end(), [format](const ComputePeak& peak) {
        return peak.format == format;
    });
    return found == peaks.end() ? nullptr : &*found;
}

const ComputePeak* peakFor(const Hardware& hardware, const Precision& precision)
{
    struct Choice
    {
        int bits;
        NumberFormat format;
    };
    // From narrow to wide; the first that the device has and that holds an activation.
    constexpr std::array<Choice, 8> kChoices{Choice{4, NumberFormat::fp4},
                                             Choice{4, NumberFormat::int4},
                                             Choice{8, NumberFormat::fp8},
                                             Choice{8, NumberFormat::int8},
                                             Choice{16, NumberFormat::bf16},
                                             Choice{16, NumberFormat::fp16},
                                             Choice{32, NumberFormat::fp32},
                                             Choice{64, NumberFormat::fp64}};
    for (const Choice& choice : kChoices) {
        const ComputePeak* peak = hardware.peak(choice.format);
        if (choice.bits >= precision.activationBits && peak != nullptr) {
            return peak;
        }
    }
    return nullptr;
}

Result<HardwarePeak> hardwarePeak(const Hardware& hardware,
                                  const Precision& precision,
                                  std::optional<NumberFormat> format)
{
    const ComputePeak* peak = format ? hardware.peak(*format) : peakFor(hardware, precision);
    if (peak != nullptr) {
        return HardwarePeak{hardware, *peak};
    }
    std::string known;
    for (const ComputePeak& each : hardware.peaks) {
        known += (known.empty() ? "" : ", ") + std::string(enumName(each.format));
    }
    const std::string wanted = format
        ? std::string(enumName(*format))
        : std::to_string(precision.activationBits) + "-bit activations";
    return Error{hardware.name + ": no peak is stated for " + wanted + "; there is one for "
                 + known};
}

std::string shortName(const Hardware& hardware)
{
    constexpr std::array<std::string_view, 5> kMakers{
        "NVIDIA ", "AMD ", "Apple ", "Google ", "Intel "};
    std::string_view name = hardware.name;
    for (const std::string_view maker : kMakers) {
        name.remove_prefix(name.starts_with(maker) ? maker.size() : 0);
    }
    return std::string(name.substr(0, std::min(name.find(','), name.find(" ("))));
}

Hardware measuredHardware(std::string name, HardwareKind kind, const Peaks& peaks, std::string how)
{
    const std::string source = "measured: " + std::move(how);
    return {.id = "this",
            .name = std::move(name),
            .kind = kind,
            .bytesPerSecond = {peaks.bytesPerSecond, source},
            .peaks = {{NumberFormat::fp32, peaks.flopsPerSecond, source}}};
}

const std::vector<Hardware>& hardwareTable()
{
    static const std::vector<Hardware> kTable = [] {
        const auto read = hardwareFromText(hardwareResource(), "resources/hardware/hardware.json");
        FLOPSMITH_CHECK(read.ok()); // the file is part of the program, and a test reads it
        return *read;
    }();
    return kTable;
}

Result<Hardware> hardwareNamed(std::string_view id)
{
    std::string known;
    for (const Hardware& hardware : hardwareTable()) {
        if (hardware.id == id) {
            return hardware;
        }
        known += (known.empty() ? "" : ", ") + hardware.id;
    }
    return Error{"\"" + std::string(id) + "\" is no hardware of the table; known are " + known};
}

} // namespace flopsmith
