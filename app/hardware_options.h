// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/outcome.h"
#include "core/budget/hardware.h"
#include "core/budget/machine_roofs.h"
#include "core/study/metric.h"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <variant>

namespace flopsmith::app {

struct FoundHardware
{
    Hardware hardware{};
    std::optional<MachineRoofs> machine{}; ///< of one that measured its peaks
};

/// The device of that name measures its peaks now; see namedDevice(). Or the failure that the
/// command ends with.
std::variant<FoundHardware, Outcome> measuredNow(const std::string& deviceName,
                                                 double budgetSeconds);

/// --hardware and --peak of the commands that need a device's figures.
class HardwareOptions
{
public:
    enum class Need { required, optional };
    void addTo(CLI::App& command, Need need = Need::required);

    /// --hardware, which may be left out, and --peak.
    void addMetricsTo(CLI::App& command);

    /// The same name as the command's own argument, which may be left out.
    void addPlaceTo(CLI::App& command);

    bool isNamed() const { return !m_name.empty(); }

    /// A device of the table; of a file ("my.json", or "my.json:ID" if it holds several); or one
    /// that measures its peaks now: "this" for this machine, "device:NAME" for one of `flopsmith
    /// devices`. Or the failure that the command ends with.
    std::variant<FoundHardware, Outcome> found() const;
    std::variant<Hardware, Outcome> hardware() const;

    /// The device and the format of --peak, for metrics that are computed from its figures; nothing
    /// if none is named. Or the failure.
    std::variant<std::optional<MetricHardware>, Outcome> metricHardware() const;

    /// The same with the peak for this precision, or the one that --peak names.
    std::variant<HardwarePeak, Outcome> peak(const Precision& precision) const;
    std::variant<HardwarePeak, Outcome> peakOf(const Hardware& hardware,
                                               const Precision& precision) const;

private:
    CLI::Option* addNameTo(CLI::App& command, Need need);
    CLI::Option* addPeakTo(CLI::App& command);

    std::string m_name;
    std::string m_format;
};

} // namespace flopsmith::app
