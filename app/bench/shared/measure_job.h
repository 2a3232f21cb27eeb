// SPDX-License-Identifier: MIT
#pragma once

#include "app/bench/shared/backend.h"
#include "core/protocol/wire/message.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>

namespace flopsmith::bench {

/// Bytes that may be allocated now, or nothing if the system does not say.
using AvailableBytes = std::function<std::optional<std::int64_t>()>;

/// Draws weights and inputs, prepares the kernel, compares its output with the reference's, and
/// only then times it. Measured or Failure. A job whose operands and output do not fit is refused
/// with its bytes before anything is allocated, a kernel that takes too much while it is prepared.
/// `progress` (may be empty) is called between the steps and between samples. What the back end
/// throws passes through.
Answer measuredOn(const Backend& backend,
                  const MeasureRequest& request,
                  const std::stop_token& stop,
                  const std::function<void(const Progress&)>& progress,
                  const AvailableBytes& available);

} // namespace flopsmith::bench
