// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/bench/shared/measure_job.h"
#include "core/protocol/wire/message.h"

#include <functional>
#include <stop_token>

namespace flopsmith::bench {

/// measuredOn() this CPU; a shortage of memory is an answer too.
Answer measured(const MeasureRequest& request,
                const std::stop_token& stop,
                const std::function<void(const Progress&)>& progress,
                const AvailableBytes& available);

} // namespace flopsmith::bench
