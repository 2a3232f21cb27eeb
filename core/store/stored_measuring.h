// SPDX-License-Identifier: MIT
#pragma once

#include "core/protocol/measuring/measuring.h"
#include "core/store/measurement_store.h"

#include <optional>
#include <string>
#include <vector>

namespace flopsmith {

/// Results of measuring with a store.
struct StoredMeasuring
{
    MeasuringOutcome outcome{};
    /// Parallel to the plan: when a result from the store was measured; empty for results measured
    /// now and for parts without a result.
    std::vector<std::optional<UnixSeconds>> storedAt{};
    std::optional<UnixSeconds> peaksStoredAt{}; ///< the same for the peaks
    std::optional<StoredMachine> machine{}; ///< whose results they are, if a store was used
    std::optional<Error> storeFailure{}; ///< the first; measuring continued without the store
};

enum class Reuse {
    yes, ///< a stored result answers an identical question
    no, ///< everything is measured again and stored
};

/// measureParts() with the store as a cache: after the device has described itself, results that it
/// has given with the same libraries, driver and program are reused, except those that did not
/// settle in less time than they would get now. Everything else is measured and stored as it
/// arrives. Without a store (null) it is measureParts().
StoredMeasuring measureWithStore(DeviceSession& session,
                                 std::span<const MeasuredPart> plan,
                                 const MeasuringOptions& options,
                                 const std::stop_token& stop,
                                 MeasurementStore* store,
                                 Reuse reuse,
                                 const MeasuringObserver& observer);

/// The same with results of the device that are already known; they are not looked up and not
/// marked as stored.
StoredMeasuring measureWithStore(DeviceSession& session,
                                 std::span<const MeasuredPart> plan,
                                 const MeasuringOptions& options,
                                 const std::stop_token& stop,
                                 MeasurementStore* store,
                                 Reuse reuse,
                                 KnownResults& known,
                                 const MeasuringObserver& observer);

/// The stored results of a device, without measuring: those of its last machine, or all of an
/// imported device. Parts without a result fail with a sentence; unavailable is set if there is no
/// result at all.
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
