// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/protocol/device/device.h"

#include <string>
#include <vector>

namespace flopsmith {

/// The command that trains where a device measures: flopsmith-train in place of the flopsmith-bench
/// or flopsmith-bench-cuda that its command names, in the same folder and with the same words before
/// it. Labs train on CPUs. An Error for this machine's GPU, and for a command that names neither.
Result<std::vector<std::string>> trainingCommand(const Device& device);

} // namespace flopsmith
