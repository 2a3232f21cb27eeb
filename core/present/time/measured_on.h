// SPDX-License-Identifier: MIT
#pragma once

#include "core/present/time/part_time.h"

#include <cstdint>
#include <span>
#include <string>

namespace flopsmith {

/// Whose times these are and of which day, as a paper can cite it: "Intel(R) Xeon(R) …, 2 cores,
/// 2026-11-21". `device` is what the device is called in the list ("box", which then stands before
/// its processor; "this CPU" does not), `processor` what it says of itself, empty while it has not.
/// The day is that of the newest time, in UTC; there is none without a time. `now` in seconds since 1970.
std::string measuredOn(const std::string& device,
                       const std::string& processor,
                       std::span<const PartTime> times,
                       std::int64_t now);

} // namespace flopsmith
