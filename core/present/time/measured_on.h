// SPDX-License-Identifier: MIT
#pragma once

#include "core/present/time/part_time.h"

#include <cstdint>
#include <span>
#include <string>

namespace flopsmith {

/// The device of measured times and their date, as a paper can cite it: "Intel(R) Xeon(R) …, 2
/// cores, 2026-11-21". `device` is the device's name in the list (a name such as "box" is put
/// before its processor; "this CPU" is not), `processor` its own description, empty while unknown.
/// The date is that of the newest time, in UTC; without a time there is none. `now` in seconds
/// since 1970.
std::string measuredOn(const std::string& device,
                       const std::string& processor,
                       std::span<const PartTime> times,
                       std::int64_t now);

} // namespace flopsmith
