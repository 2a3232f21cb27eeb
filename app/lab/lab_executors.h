// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/arguments/argument_parser.h"
#include "core/lab/run/lab_run.h"

#include <optional>
#include <string>
#include <vector>

namespace flopsmith::app {

/// --jobs, --worker, --device, --engine and its kin: who trains the runs of a lab.
class LabExecutorOptions
{
public:
    void addTo(ArgumentParser run);

    /// One for each run side by side. Errors: options that do not fit, a device that is not known,
    /// a Python without PyTorch.
    Result<std::vector<RunExecutor>> executors() const;

    /// What seconds are measured on.
    std::string machineName() const;

private:
    int runsSideBySide() const;
    Result<std::vector<RunExecutor>> onDevices() const;
    Result<std::vector<RunExecutor>> byTorch() const;
    Result<std::vector<RunExecutor>> byWorkers() const;

    std::optional<int> m_sideBySide; ///< without it one per core
    std::vector<std::string> m_workers; ///< commands
    std::vector<std::string> m_devices; ///< names
    bool m_reference = false;
    std::string m_engine = "cpu";
    std::string m_torch = "python3"; ///< a command
};

} // namespace flopsmith::app
