// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/options/device_list_options.h"

#include "app/options/device_options.h"
#include "app/options/options.h"

namespace flopsmith::app {

void DeviceListOptions::addTo(ArgumentParser command)
{
    command
        .addOption("--device",
                   m_names,
                   "Where to measure (see flopsmith devices); several share the points; without "
                   "it, this CPU")
        .typeName("NAME,\xE2\x80\xA6")
        .oneValuePerUse();
    command.addOption("--budget", m_budgetSeconds, "Seconds for timing each point")
        .typeName("SECONDS")
        .check(between(0.1, 86400.0))
        .showDefault();
    m_store.addTo(command);
}

Result<std::vector<Device>> DeviceListOptions::devices() const
{
    return namedDevices(m_names);
}

} // namespace flopsmith::app
