// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/terminal/outcome.h"
#include "core/base/result.h"
#include "core/lab/log/lab_log_file.h"

#include <optional>
#include <string>

namespace flopsmith::app {

/// The log that a command is about to replace, locked until it is written: what a run appended in
/// between would be lost. Empty where the target is a new file or standard output. Errors: a file
/// that is no log; a log that a run writes, or that cannot be locked.
Result<std::optional<LabLogFile>> replacedLog(const std::string& target);

/// Writes a log at once, while the replaced one is still locked.
Outcome writtenLog(const std::string& target, const std::string& text);

} // namespace flopsmith::app
