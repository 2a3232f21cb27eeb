// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/protocol/device.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace flopsmith::app {

/// --device and --budget of the commands that spread points over several devices.
class DeviceListOptions
{
public:
    void addTo(CLI::App& command);

    /// Those that are named, each once, or this CPU.
    Result<std::vector<Device>> devices() const;

    bool areNamed() const { return !m_names.empty(); }
    double budgetSeconds() const { return m_budgetSeconds; }

private:
    std::vector<std::string> m_names;
    double m_budgetSeconds = 10.0;
};

} // namespace flopsmith::app
