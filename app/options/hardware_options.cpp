// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/options/hardware_options.h"

#include "app/measuring/measuring_run.h"
#include "app/options/device_options.h"
#include "core/base/text_file.h"
#include "core/study/machine/measured_roofs.h"

#include <algorithm>
#include <filesystem>
#include <optional>

namespace flopsmith::app {
namespace {

// 1.5 times the budget that a plan of parts has for its peaks.
constexpr double kPeaksSeconds = 2.0;

constexpr const char* kThisMachine = "this";
constexpr std::string_view kDevicePrefix = "device:";

constexpr const char* kHelp =
    "A device of flopsmith hardware; a hardware file, as FILE or FILE:ID; or this: this machine, "
    "whose measured peaks count (device:NAME: another of flopsmith devices)";

std::vector<std::string> formatNames()
{
    const auto names = enumNames<NumberFormat>();
    return {names.begin(), names.end()};
}

std::optional<NumberFormat> formatNamed(const std::string& name)
{
    const auto names = enumNames<NumberFormat>();
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
        return std::nullopt;
    }
    return static_cast<NumberFormat>(found - names.begin());
}

Outcome unavailable(std::string sentence)
{
    return Outcome::failure(ExitCode::deviceUnavailable, std::move(sentence));
}

// "my.json", or "my.json:ID".
struct FileName
{
    std::string path;
    std::string id;
};

std::optional<FileName> fileNamed(const std::string& name)
{
    std::error_code ignored;
    const std::size_t colon = name.rfind(':');
    if (!std::filesystem::exists(name, ignored) && colon != std::string::npos
        && std::filesystem::exists(name.substr(0, colon), ignored)) {
        return FileName{name.substr(0, colon), name.substr(colon + 1)};
    }
    const bool isFile = std::filesystem::exists(name, ignored)
        || name.find('/') != std::string::npos || name.find(".json") != std::string::npos;
    return isFile ? std::optional<FileName>({name, ""}) : std::nullopt;
}

Result<Hardware> fromFile(const FileName& file)
{
    FLOPSMITH_TRY(const std::string text, textOfFile(file.path));
    FLOPSMITH_TRY(const std::vector<Hardware> all, hardwareFromText(text, file.path));
    if (file.id.empty() && all.size() == 1) {
        return all.front();
    }
    std::string known;
    for (const Hardware& hardware : all) {
        if (hardware.id == file.id) {
            return hardware;
        }
        known += (known.empty() ? "" : ", ") + hardware.id;
    }
    return Error{file.path
                 + (file.id.empty() ? ": holds several devices; name one as FILE:ID, of "
                                    : ": holds no \"" + file.id + "\"; it holds ")
                 + known};
}

} // namespace

std::variant<FoundHardware, Outcome> measuredHardware(const std::string& deviceName,
                                                      double budgetSeconds,
                                                      const StoreChoice& store)
{
    const Result<Device> device = namedDevice(deviceName, store);
    if (!device) {
        return noDevice(device.error());
    }
    const MeasuringRun run = measuringRun({}, *device, {}, {.peaksSeconds = budgetSeconds}, store);
    const auto& described = run.outcome.described;
    const auto roofs = run.roofs();
    if (!roofs || !described) {
        const auto& why = run.outcome.unavailable;
        return unavailable(why ? why->message
                               : device->name + ": "
                                   + (run.outcome.noPeaks.empty() ? "its peaks are not stored"
                                                                  : run.outcome.noPeaks));
    }
    const MachineRoofs machine =
        machineRoofs(*run.outcome.peaks, described->device, hardwareKindOf(*described));
    FoundHardware found{
        .hardware = flopsmith::hardwareOf(machine), .machine = machine, .notes = run.notes()};
    if (const auto bytes = described->environment.memoryBytes) {
        found.hardware.memoryBytes =
            SourcedFigure{static_cast<double>(*bytes), "stated by the operating system"};
    }
    return found;
}

const Option HardwareOptions::addNameTo(ArgumentParser command, Need need)
{
    return command.addOption("--hardware", m_name, kHelp)
        .typeName("NAME")
        .required(need == Need::required);
}

const Option HardwareOptions::addPeakTo(ArgumentParser command)
{
    return command
        .addOption("--peak",
                   m_format,
                   "Format whose dense peak counts; without it, the one that "
                   "activation_bits calls for")
        .oneOf(formatNames())
        .typeName("FORMAT");
}

void HardwareOptions::addTo(ArgumentParser command, Need need)
{
    addNameTo(command, need);
    if (need == Need::required) {
        addPeakTo(command);
    }
    addStoreTo(command);
}

void HardwareOptions::addStoreTo(ArgumentParser command)
{
    if (m_shared == nullptr) {
        m_store.addTo(command);
    }
}

StoreChoice HardwareOptions::store() const
{
    return m_shared == nullptr ? m_store.choice() : m_shared->choice();
}

void HardwareOptions::addMetricsTo(ArgumentParser command)
{
    const Option name = addNameTo(command, Need::optional);
    addPeakTo(command).needs(name);
    addStoreTo(command);
}

void HardwareOptions::addPlaceTo(ArgumentParser command)
{
    command.addOption("NAME", m_name, kHelp);
    addStoreTo(command);
}

std::variant<FoundHardware, Outcome> HardwareOptions::found() const
{
    if (m_name == kThisMachine) {
        return measuredHardware("", kPeaksSeconds, store());
    }
    if (m_name == kDevicePrefix) {
        return Outcome::failure(
            ExitCode::wrongUsage,
            "--hardware device: names no device; write device:NAME, or this for "
            "this machine");
    }
    if (m_name.rfind(kDevicePrefix, 0) == 0) {
        return measuredHardware(m_name.substr(kDevicePrefix.size()), kPeaksSeconds, store());
    }
    const std::optional<FileName> file = fileNamed(m_name);
    const Result<Hardware> hardware = file ? fromFile(*file) : hardwareNamed(m_name);
    if (!hardware) {
        return Outcome::badInput(
            file ? hardware.error()
                 : Error{"--hardware " + hardware.error().message + "; or name a file, or this"});
    }
    return FoundHardware{.hardware = *hardware};
}

std::variant<Hardware, Outcome> HardwareOptions::hardware(std::vector<std::string>& notes) const
{
    std::variant<FoundHardware, Outcome> all = found();
    if (auto* failed = std::get_if<Outcome>(&all)) {
        return std::move(*failed);
    }
    FoundHardware& device = std::get<FoundHardware>(all);
    notes.insert(notes.end(), device.notes.begin(), device.notes.end());
    return std::move(device.hardware);
}

std::variant<std::optional<MetricHardware>, Outcome> HardwareOptions::metricHardware(
    std::vector<std::string>& notes) const
{
    if (!isNamed()) {
        return std::nullopt;
    }
    const std::variant<Hardware, Outcome> found = hardware(notes);
    if (const auto* failed = std::get_if<Outcome>(&found)) {
        return *failed;
    }
    MetricHardware on{std::get<Hardware>(found), formatNamed(m_format)};
    if (on.format) {
        if (const auto peak = hardwarePeak(on.hardware, {}, on.format); !peak) {
            return Outcome::badInput(peak.error());
        }
    }
    return on;
}

std::variant<HardwarePeak, Outcome> HardwareOptions::peak(const Precision& precision,
                                                          std::vector<std::string>& notes) const
{
    const std::variant<Hardware, Outcome> device = hardware(notes);
    if (const auto* failed = std::get_if<Outcome>(&device)) {
        return *failed;
    }
    return peakOf(std::get<Hardware>(device), precision);
}

std::variant<HardwarePeak, Outcome> HardwareOptions::peakOf(const Hardware& hardware,
                                                            const Precision& precision) const
{
    const Result<HardwarePeak> chosen = hardwarePeak(hardware, precision, formatNamed(m_format));
    if (!chosen) {
        return Outcome::badInput(chosen.error());
    }
    return *chosen;
}

} // namespace flopsmith::app
