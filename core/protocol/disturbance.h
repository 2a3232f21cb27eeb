// SPDX-License-Identifier: MIT
#pragma once

#include "core/protocol/message.h"

#include <string>

namespace flopsmith {

/// Of the sampling time, what other programs or other virtual machines took, 0 to 1.
double lostShare(const Measured& measured);

/// What kept a measurement from settling, if others took more than kLargestInterference: "Other
/// programs had the processor for 45.0 % of the time." Empty if it settled or nobody is known to have
/// disturbed it.
std::string disturbanceSentence(const Measured& measured);

} // namespace flopsmith
