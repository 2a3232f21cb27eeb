// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/quantity.h"
#include "core/count/lens.h"
#include "core/study/variation/metric.h"
#include "core/study/variation/variation.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace flopsmith {

/// A limit on a number of the model: "at most 100 M parameters".
struct Bound
{
    enum class Side { atMost, atLeast };
    MetricId metric = MetricId::params;
    Side side = Side::atMost;
    double limit = 0;

    bool operator==(const Bound&) const = default;
};

/// "params<=100M", "weight_bytes<=2GiB", "flops>=1e12": a metric, <= or >= (or < and >, which mean
/// the same), and a number with an optional decimal (k, M, G, T, P) or binary (Ki, Mi, Gi, Ti) unit
/// prefix and an optional B; "8B" without a prefix are bytes of a metric in bytes, else billions.
Result<Bound> parsedBound(std::string_view text);

/// A number as bounds spell it: "2GiB", "100M", "8B", "1e9".
Result<double> parsedQuantity(std::string_view text, PlainB plainB = PlainB::billions);
Result<double> parsedQuantity(std::string_view text, MetricId id);

/// The inverse question: which value of one parameter meets bounds on the whole model.
struct SearchPlan
{
    enum class Goal {
        largest, ///< value within all bounds
        smallest, ///< value within all bounds
        nearest, ///< to `target` in `metric`, among the values within all bounds
    };

    Scenario base;
    std::string key; ///< of a number: "d_model"
    Goal goal = Goal::largest;
    std::vector<Bound> bounds{};
    MetricId metric = MetricId::flops; ///< of `nearest`
    double target = 0;
    std::vector<Tie> ties{}; ///< parameters that follow the one searched
    LensId lens = LensId::exact;
    PairsRule pairs = PairsRule::exact;
    std::optional<MetricHardware> on{}; ///< for metrics that need hardware

    MetricBasis basis() const { return {lens, pairs, on}; }
};

/// A value of the parameter and the model's metrics with it.
struct SearchedPoint
{
    FieldValue value;
    std::vector<MetricValue> metrics{}; ///< parallel to SearchResult::metrics; empty if not legal
    std::string problem{}; ///< why the value is illegal, or which bound it breaks; empty if neither
};

struct SearchResult
{
    std::vector<MetricId> metrics; ///< all that are computable
    SearchedPoint found;
    std::optional<SearchedPoint> next; ///< the next value beyond it, with the reason against it
    std::size_t evaluated = 0; ///< scenarios that were costed
    /// All evaluated values, ascending; their metrics are the plan's and its bounds'.
    std::vector<SearchedPoint> points{};
    std::string tieNote{}; ///< which tie is not met where it was found; empty if all are
};

/// Searches the parameter's legal values: first its slider's stops over the whole range (at most
/// 1025), then, by bisection, the whole numbers between the best stop and its neighbours. For every
/// parameter of this program the cost is monotone between two neighbouring stops; if it is not over
/// the whole range, the stops find the right interval.
///
/// It evaluates nothing else, so its number of evaluations is bounded.
///
/// Errors: no such parameter, not a number, a metric that is not computable, no legal value that
/// meets the bounds (with the bound that is missed and by how little), stopped.
Result<SearchResult> search(const SearchPlan& plan, const std::stop_token& stop = {});

} // namespace flopsmith
