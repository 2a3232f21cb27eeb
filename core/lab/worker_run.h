// SPDX-License-Identifier: MIT
#pragma once

#include "core/lab/lab_run.h"

#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// In a program of its own, which gets the job as a line on its standard input and answers with the
/// lines of the log, and the lines below. "stop", or the end of its input, stops it; then it saves
/// the run and ends.
RunExecutor executorInProcess(std::vector<std::string> command);

/// What a training program answers beside lines of the log.
std::string progressLine(const RunProgress& progress);
std::string endedLine(LabEnd end);
std::string errorLine(const Error& error);

/// The line that stops a training program.
inline constexpr std::string_view kStopLine = "stop";

} // namespace flopsmith
