// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/protocol/device.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace flopsmith::app {

/// The device of that name; with an empty name, this CPU.
Result<Device> namedDevice(const std::string& name);

/// --device and --budget of the commands that measure.
class DeviceOptions
{
public:
    void addTo(CLI::App& command);

    /// The same where --device may be given several times.
    void addSeveralTo(CLI::App& command);

    /// The named device, the first of several, or this CPU.
    Result<Device> device() const;

    /// All that are named, each once, or this CPU.
    Result<std::vector<Device>> devices() const;

    bool isNamed() const { return !m_names.empty(); }
    bool areSeveral() const { return m_names.size() > 1; }
    double budgetSeconds() const { return m_budgetSeconds; }

private:
    void addBudgetTo(CLI::App& command);

    std::vector<std::string> m_names;
    double m_budgetSeconds = 10.0;
};

} // namespace flopsmith::app
