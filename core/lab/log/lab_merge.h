// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/lab/log/lab_log.h"

#include <string>
#include <vector>

namespace flopsmith {

/// A log and what people call it.
struct NamedLog
{
    std::string name;
    LabLog log;
    bool keepsNumbers = false; ///< of its runs: states beside it are named by them
};

/// One log of logs whose labs were executed in parts, as by the tasks of a job array. A run that is
/// in several of them is taken once: one that has ended wins, then the longer one. The order of the
/// logs does not matter. Runs are in the order of the plan. A log that keeps its numbers has its runs
/// first, as they are. Errors name the two logs that do not belong together:
/// other plans, other data, or another version of the program.
Result<LabLog> mergedLogs(std::vector<NamedLog> logs);

/// A log as the text of its file.
std::string logText(const LabLog& log);

} // namespace flopsmith
