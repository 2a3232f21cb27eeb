// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/measuring/store_choice.h"
#include "core/base/result.h"
#include "core/protocol/device/device.h"
#include "core/study/compare/comparison.h"

#include <vector>

namespace flopsmith::app {

/// Gives each design the store's time of one pass: on this device, otherwise on another one that
/// has measured all its parts. Nothing is measured. An Error if the store cannot be read.
Status addStoredTimes(std::vector<ComparedDesign>& designs,
                      const Device& device,
                      const StoreChoice& choice);

} // namespace flopsmith::app
