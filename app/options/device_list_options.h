// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/arguments/argument_parser.h"
#include "app/options/store_options.h"
#include "core/base/result.h"
#include "core/protocol/device/device.h"

#include <string>
#include <vector>

namespace flopsmith::app {

/// --device, --budget, --store, --no-store and --fresh of the commands that spread points over several devices.
class DeviceListOptions
{
public:
    void addTo(ArgumentParser command);

    /// Those that are named, each once, or this CPU.
    Result<std::vector<Device>> devices() const;

    bool areNamed() const { return !m_names.empty(); }
    double budgetSeconds() const { return m_budgetSeconds; }

    /// Where results are kept, and whether they are used.
    const StoreOptions& storeOptions() const { return m_store; }

private:
    std::vector<std::string> m_names;
    StoreOptions m_store;
    double m_budgetSeconds = 10.0;
};

} // namespace flopsmith::app
