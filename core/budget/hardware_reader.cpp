// SPDX-License-Identifier: MIT
#include "core/budget/hardware.h"
#include "core/json/json_text.h"
#include "core/json/object_reader.h"

#include <set>

namespace flopsmith {
namespace {

constexpr const char* kHardwareKey = "flopsmith_hardware";
constexpr int kHardwareFormat = 1;
constexpr std::size_t kMaxDevices = 1'000;
constexpr std::size_t kLongestText = 1'000;
constexpr double kMaxPerUnit = 1e12; // far above every device, in whatever unit

// {"gb_per_s": 2039, "source": "…"}, in units of `unit`.
SourcedFigure figure(ObjectReader read, const char* key, double unit)
{
    read.refuseOtherKeys({key, "source"});
    SourcedFigure figure;
    figure.value = read.positive(key, kMaxPerUnit) * unit;
    figure.source = read.text("source", kLongestText);
    return figure;
}

std::optional<SourcedFigure> optionalFigure(ObjectReader& device,
                                            const char* name,
                                            const char* key,
                                            double unit)
{
    return device.has(name) ? std::optional(figure(device.object(name), key, unit)) : std::nullopt;
}

ComputePeak peakOf(ObjectReader& read)
{
    read.refuseOtherKeys({"format", "tflops", "dense", "source"});
    ComputePeak peak;
    peak.format = read.oneOf<NumberFormat>("format");
    peak.flopsPerSecond = read.positive("tflops", kMaxPerUnit) * 1e12;
    peak.source = read.text("source", kLongestText);
    const Json* dense = read.required("dense");
    if (dense != nullptr && *dense != Json(true)) {
        read.failAt("dense",
                    "expected true; a figure for sparse matrices counts products that are never "
                    "computed, so give the dense one (mostly half of it)");
    }
    return peak;
}

Hardware deviceOf(ObjectReader& read)
{
    read.refuseOtherKeys({"id", "name", "kind", "memory", "bandwidth", "power", "peaks"});
    Hardware device;
    device.id = read.text("id", kLongestText);
    device.name = read.text("name", kLongestText);
    device.kind = read.oneOf<HardwareKind>("kind");
    device.memoryBytes = optionalFigure(read, "memory", "gb", 1e9);
    device.bytesPerSecond = figure(read.object("bandwidth"), "gb_per_s", 1e9);
    device.watts = optionalFigure(read, "power", "watts", 1.0);
    for (ObjectReader& peak : read.objects("peaks", 1, enumNames<NumberFormat>().size())) {
        device.peaks.push_back(peakOf(peak));
        const ComputePeak& next = device.peaks.back();
        if (device.peak(next.format) != &next) {
            peak.failAt("format", "there are two peaks of this format");
        }
    }
    return device;
}

std::vector<Hardware> devicesOf(ObjectReader& read)
{
    read.refuseOtherKeys({kHardwareKey, "devices"});
    const Json* version = read.find(kHardwareKey);
    if (version == nullptr || *version != Json(kHardwareFormat)) {
        read.failAt(kHardwareKey, "expected 1, the version of this format");
    }
    std::vector<Hardware> all;
    std::set<std::string> ids;
    for (ObjectReader& device : read.objects("devices", 1, kMaxDevices)) {
        all.push_back(deviceOf(device));
        if (const std::string& id = all.back().id; !ids.insert(id).second) {
            device.failAt("id", "\"" + id + "\" is there twice");
        }
    }
    return all;
}

} // namespace

Result<std::vector<Hardware>> hardwareFromText(std::string_view text, const std::string& source)
{
    FLOPSMITH_TRY(const Json json, parsedJson(text, source));
    ObjectReader read(json, source + ": ");
    return read.judged(devicesOf(read));
}

} // namespace flopsmith
