// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/work_share.h"
#include "core/count/lens.h"
#include "core/study/variation/axis.h"
#include "core/study/variation/metric.h"
#include "core/study/variation/variation.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace flopsmith {

/// The metrics to compute at every combination of the axes' values.
struct SweepPlan
{
    Scenario base;
    std::vector<Axis> axes{}; ///< at least one; the last one varies fastest
    LensId lens = LensId::exact;
    PairsRule pairs = PairsRule::exact;
    std::vector<MetricId> metrics{}; ///< columns
    std::vector<Tie> ties{}; ///< parameters that follow others
    bool repairs = false; ///< see Variation::repairedAt()
    std::optional<MetricHardware> on{}; ///< for metrics that need hardware
    WorkShare share{}; ///< which combinations
    PartScope scope{}; ///< the part that the metrics are of

    /// Whether one of the metrics is measured; sweep() leaves its column NaN.
    bool isMeasured() const;

    MetricBasis basis() const { return {lens, pairs, on, scope}; }

    /// The product of the axes' sizes.
    std::size_t combinations() const;

    /// Combinations of the share.
    std::size_t points() const;
};

/// A sweep computes at most this many points.
inline constexpr std::size_t kMaxSweepPoints = 10'000'000;

/// One combination with its metrics, or why it is impossible.
struct SweepPoint
{
    std::vector<FieldValue> at; ///< one value per axis
    std::vector<MetricValue> values{}; ///< one per metric; empty if the point is impossible
    std::string problem{}; ///< why it has no values, or not all; empty if it has
    bool meetsTies = true; ///< see Variation::meetsTies()
    std::string device{}; ///< the device that measured it; empty if nothing was measured
    /// When the oldest of its parts was measured, in seconds since 1970, if all of them came from
    /// the store.
    std::optional<std::int64_t> storedAt{};

    bool possible() const { return problem.empty(); }
};

enum class SweepEnd { complete, stopped };

/// Calls `visit` for every point in order, including impossible ones, on the calling thread; checks
/// `stop` between points. With more than one worker, that many threads precompute points within
/// bounded memory. Fails before the first point if an axis is unknown, the plan has too many points
/// or lacks the hardware of a metric. Measured metrics are NaN: see measured_sweep.h.
Result<SweepEnd> sweep(const SweepPlan& plan,
                       const std::function<void(const SweepPoint&)>& visit,
                       const std::stop_token& stop = {},
                       int workers = 1);

/// The base scenario with the axes' parameters set to the values of one point, for measuring it.
Result<Scenario> scenarioAt(const SweepPlan& plan, const std::vector<FieldValue>& at);

/// Which tie is not met at one point, in words; see Variation::tieNote().
std::string tieNoteAt(const SweepPlan& plan, const std::vector<FieldValue>& at);

/// All points at once.
Result<std::vector<SweepPoint>> sweepPoints(const SweepPlan& plan);

} // namespace flopsmith
