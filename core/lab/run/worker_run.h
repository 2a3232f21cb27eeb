// SPDX-License-Identifier: MIT
#pragma once

#include "core/lab/run/lab_run.h"
#include "core/lab/run/silence_watch.h"

#include <memory>
#include <string>
#include <vector>

namespace flopsmith {

/// In a program of its own, which gets the job as a line on its standard input and answers with the
/// lines of the log, and the lines below. "stop", or the end of its input, stops it; then it saves
/// the run and ends. What `control` says goes to it as lines. A program that dies without a word is
/// started again as long as each one gets further than the one before. One that writes what is no line
/// of its run is an Error; silence is reported after each `patience`.
RunExecutor executorInProcess(std::vector<std::string> command,
                              std::shared_ptr<RunControl> control = nullptr,
                              SilenceWatch::Duration patience = kSilencePatience);

/// What a training program answers beside lines of the log.
std::string progressLine(const RunProgress& progress);
std::string endedLine(LabEnd end);
std::string errorLine(const Error& error);
} // namespace flopsmith
