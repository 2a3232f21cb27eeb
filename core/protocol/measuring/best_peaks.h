// SPDX-License-Identifier: MIT
#pragma once

#include "core/protocol/wire/message.h"

namespace flopsmith {

/// What two measurements of one device's peaks say together: of each rate the higher one, of the
/// launch the shorter. A peak is what the device can reach, and whatever else ran beside one of them
/// only lowered it. Precisions and cache levels that only one has are taken over; the rest of the
/// text is that of `later`. Both are of the same number of threads.
PeaksMeasured bestOf(const PeaksMeasured& earlier, const PeaksMeasured& later);

} // namespace flopsmith
