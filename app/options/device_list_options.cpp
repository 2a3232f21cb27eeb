// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/options/device_list_options.h"

#include "app/options/device_options.h"
#include "app/options/options.h"

#include <algorithm>

namespace flopsmith::app {

void DeviceListOptions::addTo(ArgumentParser command)
{
    command
        .addOption("--device",
                   m_names,
                   "Where to measure (see flopsmith devices); several share the points; without "
                   "it, this CPU")
        .typeName("NAME,\xE2\x80\xA6")
        .delimiter(',')
        .oneValuePerUse();
    command.addOption("--budget", m_budgetSeconds, "Seconds for timing each point")
        .typeName("SECONDS")
        .check(between(0.1, 86400.0))
        .showDefault();
    m_store.addTo(command);
}

Result<std::vector<Device>> DeviceListOptions::devices() const
{
    std::vector<Device> all;
    const std::vector<std::string> names = areNamed() ? m_names : std::vector<std::string>{""};
    for (const std::string& name : names) {
        FLOPSMITH_TRY(const Device device, namedDevice(name));
        if (std::find(all.begin(), all.end(), device) != all.end()) {
            return Error{"--device " + name + ": named twice; it can measure one point at a time"};
        }
        all.push_back(device);
    }
    return all;
}

} // namespace flopsmith::app
