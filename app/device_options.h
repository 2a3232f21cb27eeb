// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/protocol/device.h"

#include <CLI/CLI.hpp>

#include <string>

namespace flopsmith::app {

/// The device of that name; with an empty name, this CPU.
Result<Device> namedDevice(const std::string& name);

/// --device and --budget of the commands that measure.
class DeviceOptions
{
public:
    void addTo(CLI::App& command);

    /// The named device, or this CPU.
    Result<Device> device() const;

    bool isNamed() const { return !m_name.empty(); }
    double budgetSeconds() const { return m_budgetSeconds; }

private:
    std::string m_name;
    double m_budgetSeconds = 10.0;
};

} // namespace flopsmith::app
