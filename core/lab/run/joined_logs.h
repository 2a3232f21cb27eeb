// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/lab/lab_log.h"

#include <string>
#include <vector>

namespace flopsmith {

/// The text of one log with the runs of several, as those of shares of a lab: each run once, the
/// one that is done before one that is not, then the longer one. An Error if they are of different
/// labs, or there is none.
Result<std::string> joinedLogs(const std::vector<LabLog>& logs);

} // namespace flopsmith
