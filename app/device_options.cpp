// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/device_options.h"

namespace flopsmith::app {

Result<Device> namedDevice(const std::string& name)
{
    const Result<std::vector<Device>> all = allDevices();
    if (!all) {
        return all.error();
    }
    if (!name.empty()) {
        return deviceNamed(name, *all);
    }
    if (all->empty()) {
        return Error{"no measuring program stands beside this one"};
    }
    return all->front();
}

void DeviceOptions::addTo(CLI::App& command)
{
    command
        .add_option("--device",
                    m_name,
                    "Where to measure (see flopsmith devices); without it, "
                    "this CPU")
        ->type_name("NAME");
    command.add_option("--budget", m_budgetSeconds, "Seconds for timing all parts together")
        ->type_name("SECONDS")
        ->check(CLI::Range(0.1, 86400.0))
        ->capture_default_str();
}

Result<Device> DeviceOptions::device() const
{
    return namedDevice(m_name);
}

} // namespace flopsmith::app
