// SPDX-License-Identifier: MIT
#pragma once

#include "core/json/json.h"
#include "core/protocol/wire/message.h"

#include <string>

// Identity of questions and of machines: canonical JSON with a fixed order of keys, so that equal
// ones have equal texts.
namespace flopsmith {

/// {"operation": …, "precision": …, "pass": …, "cache": …, "threads": …}: everything in a request
/// that affects the time, and nothing else (not its id or budget).
Json questionJson(const MeasureRequest& question);
std::string questionText(const MeasureRequest& question);

/// Libraries, driver, program with its build, processor, cores, operating system …: everything in a
/// device's description that may affect run times, without momentary values (free memory, load).
std::string machineSignature(const Described& described);

} // namespace flopsmith
