// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/present/time/part_time.h"
#include "core/protocol/measuring/measuring.h"
#include "core/store/stored_measuring.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace flopsmith::ui {

/// What the device is doing while a plan is shown.
struct DeviceActivity
{
    bool measuresParts = false; ///< it will come to every part without a time
    int silentSeconds = 0; ///< since its last answer; 0 as long as it answers
};

/// The times of a plan's parts: those measured since the program started, those in the store, and
/// which of the two is shown. A stored time stays while its part is measured again, and afterwards
/// if it has settled and the new one has not.
class PlanTimes
{
public:
    /// Every part is pending.
    explicit PlanTimes(std::size_t parts = 0);

    /// A result of measureWithStore(). False if it is known already.
    bool take(std::size_t part, const PartResult& result);

    /// The store's results for the plan, in place of its earlier ones.
    void takeStored(const StoredMeasuring& stored);

    /// A part that runs goes back to pending.
    void stop();

    PartTime shown(std::size_t part, const DeviceActivity& device) const;

    /// Parts that were measured since the program started, or have failed.
    int done() const;

private:
    std::vector<PartTime> m_own; ///< parallel to the plan
    std::vector<std::optional<PartTime>> m_stored; ///< the same
};

} // namespace flopsmith::ui
