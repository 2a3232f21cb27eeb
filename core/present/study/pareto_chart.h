// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/parameter/tie.h"
#include "core/present/base/ticks.h"
#include "core/study/search/pareto.h"
#include "core/study/variation/axis.h"
#include "core/study/variation/metric.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// A metric that a design should minimise or maximise.
struct ParetoGoal
{
    MetricId metric = MetricId::flops;
    Better better = Better::smaller;

    bool operator==(const ParetoGoal&) const = default;
};

/// Along x and y.
using ParetoGoals = std::array<ParetoGoal, 2>;

/// High is better for a model's capability or a machine's performance, low is better for costs.
ParetoGoal usualGoal(MetricId id);

/// FLOPs per token against parameters.
ParetoGoals usualGoals();

/// "flops_per_token,+params": minimise, +NAME: maximise.
Result<ParetoGoals> parsedGoals(std::string_view text);

/// A quantity of both.
struct ParetoAxis
{
    std::string title{}; ///< "parameters (more is better)"
    std::string metric{}; ///< "parameters"
    AxisScale scale = AxisScale::log10;
    TickUnit unit = TickUnit::si;
    double low = 0.0;
    double high = 0.0;

    /// Slightly wider than the range of its values.
    TickAxis ticks(int maxTicks) const;
};

/// A design and its two quantities.
struct ParetoPoint
{
    std::vector<FieldValue> at{}; ///< by axis
    double x = 0.0;
    double y = 0.0;
    std::array<MetricValue, 2> exact{};
    std::array<std::string, 2> texts{}; ///< "291 648 307 FLOPs"
    std::string title{}; ///< "d_model 1024, layers 12"
    std::string brief{}; ///< "d 1024, L 12"
    bool onFront = false;
};

struct ParetoPlace
{
    double x = 0.0;
    double y = 0.0;
};

/// All designs of some parameters by two metrics, and the designs that no other dominates.
struct ParetoChart
{
    ParetoGoals goals{};
    std::vector<std::string> keys{}; ///< of the parameters
    std::string parameters{}; ///< "d_model and layers"
    ParetoAxis x{};
    ParetoAxis y{};
    std::vector<ParetoPoint> points{}; ///< in the order of the axes
    std::vector<std::size_t> front{}; ///< of the points, x ascending
    std::vector<ParetoPlace> steps{}; ///< the staircase through the points of the front
    std::optional<ParetoPoint> present{}; ///< the scenario itself
    std::size_t beatPresent = 0; ///< number of points that dominate it
    std::string caption{};
    std::string emptyText{};

    bool empty() const { return !emptyText.empty(); }

    /// Whether one point dominates the other: at least as good, and better in one metric.
    bool beats(const ParetoPoint& one, const ParetoPoint& other) const;
};

struct ParetoRequest
{
    ParetoGoals goals = usualGoals();
    LensId lens = LensId::exact;
    std::vector<Axis> axes{}; ///< at least one
    std::vector<Tie> ties{}; ///< parameters that follow others
    std::optional<MetricHardware> on{}; ///< for metrics that need hardware
    std::optional<PairsRule> pairs{}; ///< empty: the lens's
    PartScope scope{}; ///< the part that the metric is of

    MetricBasis basis() const
    {
        return {lens, pairs.value_or(flopsmith::lens(lens).pairs), on, scope};
    }
};

/// A chart has at most this many designs.
inline constexpr std::size_t kMaxParetoPoints = 10'000;

/// Computes all combinations of the axes' values; illegal ones are left out and counted in the
/// caption. An Error if a parameter is unknown or named twice, there are too many combinations, or
/// a metric cannot be computed.
Result<ParetoChart> paretoChart(const Scenario& scenario, const ParetoRequest& request);

} // namespace flopsmith
