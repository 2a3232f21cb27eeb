// SPDX-License-Identifier: MIT
#pragma once

#include "core/protocol/measuring/measuring.h"
#include "core/store/measurement_store.h"

#include <optional>
#include <string>
#include <vector>

namespace flopsmith {

/// What came of measuring beside a store.
struct StoredMeasuring
{
    MeasuringOutcome outcome{};
    /// Parallel to the plan: when a result was measured that comes out of the store; empty for those
    /// measured now, and for parts without a result.
    std::vector<std::optional<UnixSeconds>> storedAt{};
    std::optional<UnixSeconds> peaksStoredAt{}; ///< likewise of the peaks
    std::optional<StoredMachine> machine{}; ///< whose results they are, if a store was used
    std::optional<Error> storeFailure{}; ///< the first; measuring went on without the store
};

enum class Reuse {
    yes, ///< a stored result answers an identical question
    no, ///< everything is measured again, and kept
};

/// measureParts(), answered from the store where it can be: the device describes itself, and then
/// every result that it has given before, with the same libraries, driver and program, stands for
/// itself. One that did not settle within less time than it would get now is measured again. The
/// rest is measured and kept as it arrives. Without a store (null) it is measureParts().
StoredMeasuring measureWithStore(DeviceSession& session,
                                 std::span<const MeasuredPart> plan,
                                 const MeasuringOptions& options,
                                 const std::stop_token& stop,
                                 MeasurementStore* store,
                                 Reuse reuse,
                                 const MeasuringObserver& observer);

/// The same with what is known of the device already, which is not looked up and not marked as stored.
StoredMeasuring measureWithStore(DeviceSession& session,
                                 std::span<const MeasuredPart> plan,
                                 const MeasuringOptions& options,
                                 const std::stop_token& stop,
                                 MeasurementStore* store,
                                 Reuse reuse,
                                 KnownResults& known,
                                 const MeasuringObserver& observer);

/// What the store has of a device, nothing being measured: its last machine if the device was asked
/// from here, and for an imported one all there is. Parts without a result have failed with a
/// sentence; unavailable is set if there is none at all.
Result<StoredMeasuring> recalled(MeasurementStore& store,
                                 const Device& device,
                                 std::span<const MeasuredPart> plan,
                                 const MeasuringOptions& options);

/// The same for a known machine.
Result<StoredMeasuring> recalled(MeasurementStore& store,
                                 const StoredMachine& machine,
                                 std::span<const MeasuredPart> plan,
                                 const MeasuringOptions& options);

} // namespace flopsmith
