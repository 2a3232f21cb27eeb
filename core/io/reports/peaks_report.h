// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/machine_roofs.h"
#include "core/io/table/table.h"
#include "core/json/json.h"

#include <string>

namespace flopsmith {

/// A row per roof: each precision's product, each level of the memory by number of threads, and the
/// time of an empty step.
Table peaksTable(const MachineRoofs& roofs);

/// Device, how and when, a line each.
std::string peaksHeadline(const MachineRoofs& roofs);

/// {"device", "kind", "threads", "measured_at", "measured_with",
///  "products": [{"format", "flops_per_second"}],
///  "levels": [{"name", "bytes", "bytes_per_second", "threads"}], "launch_seconds"}. Unknown
///  members are left out.
Json peaksJson(const MachineRoofs& roofs);

} // namespace flopsmith
