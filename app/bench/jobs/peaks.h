// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/message.h"

#include <stop_token>

namespace flopsmith::bench {

/// The best matrix product and the best copy of this machine: the fastest sample of each, because a
/// roof is what is reached at best, not usually. PeaksMeasured or Failure.
Answer peaks(const PeaksRequest& request, const std::stop_token& stop);

} // namespace flopsmith::bench
