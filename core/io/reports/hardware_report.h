// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/hardware.h"
#include "core/io/table/table.h"

#include <span>

namespace flopsmith {

/// A row per device: memory, bandwidth, power, and the dense peak of each format that one has.
Table hardwareList(std::span<const Hardware> devices);

/// A row per figure of the devices, with its source.
Table hardwareFigures(std::span<const Hardware> devices);

} // namespace flopsmith
