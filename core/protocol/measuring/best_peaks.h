// SPDX-License-Identifier: MIT
#pragma once

#include "core/protocol/wire/message.h"

namespace flopsmith {

/// The best of two measurements of one device's peaks: for each rate the higher one, for the launch
/// the shorter. A peak is what the device can reach, and other programs during one of the
/// measurements only lowered it. Precisions and cache levels that only one has are included; other
/// members come from `later`. Both are for the same number of threads.
PeaksMeasured bestOf(const PeaksMeasured& earlier, const PeaksMeasured& later);

} // namespace flopsmith
