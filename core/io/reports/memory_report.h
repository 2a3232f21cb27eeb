// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/hardware.h"
#include "core/budget/memory.h"
#include "core/io/table/table.h"
#include "core/json/json.h"

#include <string>

namespace flopsmith {

/// The total, then a row per kind of memory with its components below: bytes, share of the total,
/// and the sizes that they follow from.
Table memoryTable(const Scenario& scenario, const Memory& memory);

/// "16 bits each", "4.5 bits each: 4 and 16 per group of 32; embedding 16 bits each".
std::string weightText(const Precision& precision);

/// What is asked of the model, in one line: "GPT-2 small: train, batch 1, sequence 1024".
std::string memoryHeadline(const Scenario& scenario);

/// Whether all of it fits into the device: "17.4 GB of 80.0 GB on NVIDIA A100 SXM 80 GB: fits".
/// Empty if the device does not state its memory.
std::string fitText(const Memory& memory, const Hardware& hardware);

/// {"model", "workload": {…}, "total_bytes", "largest_operation",
///  "memory": [{"kind", "component", "bytes"}]}, and with a device that states its memory
/// "hardware": {"id", "name", "memory_bytes", "fits"}. Null: no device.
Json memoryJson(const Scenario& scenario, const Memory& memory, const Hardware* hardware);

} // namespace flopsmith
