// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/wire/message.h"

#include <stop_token>

namespace flopsmith::bench {

/// The best matrix product of this machine, the best copies in its memory and in each cache level
/// that the system names, on one and on all threads: the fastest sample of each, because a roof is
/// what is reached at best, not usually. And the usual time of waking all threads for nothing.
/// PeaksMeasured or Failure.
Answer peaks(const PeaksRequest& request, const std::stop_token& stop);

} // namespace flopsmith::bench
