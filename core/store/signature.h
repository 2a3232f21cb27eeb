// SPDX-License-Identifier: MIT
#pragma once

#include "core/protocol/wire/message.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

// What makes two questions, and two machines, the same. Both texts are JSON in one fixed order of
// keys, so that equal things have equal texts.
namespace flopsmith {

/// {"operation": …, "precision": …, "pass": …, "cache": …, "threads": …}: everything in a request
/// that decides about the time, and nothing else (not its id, nor how long may be measured).
nlohmann::ordered_json questionJson(const MeasureRequest& question);
std::string questionText(const MeasureRequest& question);

/// Libraries, driver, program with its build, processor, cores, operating system …: whatever a
/// device says of itself that may change a run time. What changes from minute to minute (free
/// memory, load) is left out.
std::string machineSignature(const Described& described);

} // namespace flopsmith
