// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/terminal/outcome.h"
#include "core/lab/run/lab_run.h"

#include <functional>
#include <string>
#include <vector>

namespace flopsmith::app {

/// Trains what a log lacks of a share, with a progress line; Ctrl+C keeps what is done.
/// `whenComplete` says what came out.
Outcome trainedLab(LabLogFile& log,
                   const std::vector<RunExecutor>& workers,
                   const WorkShare& share,
                   const std::function<Outcome(const LabLog&)>& whenComplete);

/// "flopsmith lab run -o LOG", for a shell.
std::string continuingCommand(const std::string& log);

} // namespace flopsmith::app
