// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/arguments/argument_parser.h"
#include "app/options/store_options.h"
#include "app/terminal/outcome.h"
#include "core/budget/hardware.h"
#include "core/budget/machine_roofs.h"
#include "core/study/variation/metric.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace flopsmith::app {

struct FoundHardware
{
    Hardware hardware{};
    std::optional<MachineRoofs> machine{}; ///< if the device measured its peaks
    std::vector<std::string> notes{}; ///< age of the peaks, and failures of the store
};

/// The peaks of the device of that name, from the store or measured now; see namedDevice(). Or the
/// failure that the command ends with.
std::variant<FoundHardware, Outcome> measuredHardware(const std::string& deviceName,
                                                      double budgetSeconds,
                                                      const StoreChoice& store);

/// --hardware and --peak of the commands that need a device's figures, and --store, --no-store and
/// --fresh for devices that measure them. Notes on the figures are added to `notes`.
class HardwareOptions
{
public:
    enum class Need { required, optional };
    void addTo(ArgumentParser command, Need need = Need::required);

    /// Uses the command's store options instead of adding its own; call it before the other
    /// functions.
    void useStore(const StoreOptions& store) { m_shared = &store; }

    /// --hardware, which may be left out, and --peak.
    void addMetricsTo(ArgumentParser command);

    /// The same name as the command's own argument, which may be left out.
    void addPlaceTo(ArgumentParser command);

    bool isNamed() const { return !m_name.empty(); }

    /// A device of the table; of a file ("my.json", or "my.json:ID" if it holds several); or one
    /// that measures its peaks or has stored ones: "this" for this machine, "device:NAME" for one
    /// of `flopsmith devices`. Or the failure that ends the command.
    std::variant<FoundHardware, Outcome> found() const;
    std::variant<Hardware, Outcome> hardware(std::vector<std::string>& notes) const;

    /// The device and the format of --peak, for metrics that are computed from its figures; empty
    /// if none is named. Or the failure.
    std::variant<std::optional<MetricHardware>, Outcome> metricHardware(
        std::vector<std::string>& notes) const;

    /// The same with the peak for this precision, or the one that --peak names.
    std::variant<HardwarePeak, Outcome> peak(const Precision& precision,
                                             std::vector<std::string>& notes) const;
    std::variant<HardwarePeak, Outcome> peakOf(const Hardware& hardware,
                                               const Precision& precision) const;

private:
    const Option addNameTo(ArgumentParser command, Need need);
    const Option addPeakTo(ArgumentParser command);

    void addStoreTo(ArgumentParser command);
    StoreChoice store() const;

    std::string m_name;
    std::string m_format;
    StoreOptions m_store;
    const StoreOptions* m_shared = nullptr; ///< instead of the own ones
};

} // namespace flopsmith::app
