// SPDX-License-Identifier: MIT
#include "core/study/search/search.h"

#include "core/base/printable.h"
#include "core/base/quantity.h"
#include "core/base/text.h"
#include "core/measure/system_files.h"
#include "core/study/variation/field_number.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

namespace flopsmith {
namespace {

std::string quantityText(MetricId id, double value)
{
    const Metric& shown = metric(id);
    const std::string figure = shown.unit == "B" ? bytesText(value) : siText(value);
    return std::string(shown.name) + " " + figure;
}

bool keeps(const Bound& bound, double value)
{
    return bound.side == Bound::Side::atMost ? value <= bound.limit : value >= bound.limit;
}

// The metrics of bounds and target; never empty, because a legal point must have metrics.
std::vector<MetricId> askedMetrics(const SearchPlan& plan)
{
    std::vector<MetricId> ids{plan.metric};
    for (const Bound& bound : plan.bounds) {
        ids.push_back(bound.metric);
    }
    return ids;
}

// The search over one parameter's values; caches computed points.
class Searcher
{
public:
    Searcher(const SearchPlan& plan, const Variation& variation, const Parameter& parameter)
        : m_plan(plan)
        , m_variation(variation)
        , m_legal(parameter.legal(plan.base))
        , m_stops(m_legal.stops())
        , m_basis(plan.basis())
        , m_metrics(askedMetrics(plan))
    {}

    Result<SearchResult> run(const std::stop_token& stop)
    {
        for (const FieldValue& value : m_stops) {
            if (stop.stop_requested()) {
                return Error{"stopped"};
            }
            at(value);
        }
        Result<SearchResult> result =
            m_plan.goal == SearchPlan::Goal::nearest ? nearest() : extreme();
        if (result) {
            for (const auto& [value, point] : m_known) {
                result->points.push_back(point);
            }
            complete(result->found, result->metrics);
            result->tieNote = m_variation.tieNote(m_variation.at({result->found.value}));
            if (result->next) {
                complete(*result->next, result->metrics);
            }
        }
        return result;
    }

private:
    const SearchedPoint& at(const FieldValue& value)
    {
        const auto known = m_known.find(value);
        return known != m_known.end() ? known->second
                                      : m_known.emplace(value, costed(value)).first->second;
    }

    SearchedPoint costed(const FieldValue& value)
    {
        const Scenario scenario = m_variation.at({value});
        SearchedPoint point{.value = value, .problem = m_variation.problem(scenario)};
        if (!point.problem.empty()) {
            return point;
        }
        const auto values =
            metricValues(m_metrics, costTree(scenario, m_plan.pairs), scenario, m_basis);
        if (!values) {
            point.problem = values.error().message;
            return point;
        }
        point.metrics = *values;
        for (const Bound& bound : m_plan.bounds) {
            if (!keeps(bound, of(point, bound.metric))) {
                point.problem += (point.problem.empty() ? "" : "; ")
                    + quantityText(bound.metric, of(point, bound.metric))
                    + (bound.side == Bound::Side::atMost ? " is above " : " is below ")
                    + quantityText(bound.metric, bound.limit);
            }
        }
        return point;
    }

    // Adds the metrics that are not bounds, for values that are shown.
    void complete(SearchedPoint& point, const std::vector<MetricId>& ids) const
    {
        if (!point.metrics.empty()) {
            const Scenario scenario = m_variation.at({point.value});
            point.metrics =
                metricValues(ids, costTree(scenario, m_plan.pairs), scenario, m_basis).value();
        }
    }

    double of(const SearchedPoint& point, MetricId id) const
    {
        const auto at = std::find(m_metrics.begin(), m_metrics.end(), id);
        return toDouble(point.metrics.at(static_cast<std::size_t>(at - m_metrics.begin())));
    }

    // Bisection: afterwards `good` and `bad` are neighbours.
    template <class IsGood>
    void halve(FieldValue& good, FieldValue& bad, IsGood isGood)
    {
        while (true) {
            const double middle = (*numberOf(good) + *numberOf(bad)) / 2.0;
            const FieldValue wanted = std::holds_alternative<double>(good)
                ? FieldValue(middle)
                : FieldValue(static_cast<std::int64_t>(std::llround(middle)));
            const FieldValue value = m_legal.nearest(wanted);
            constexpr double kFinest = 1e-6;
            if (value == good || value == bad
                || std::abs(*numberOf(good) - *numberOf(bad)) < kFinest) {
                return;
            }
            (isGood(at(value)) ? good : bad) = value;
        }
    }

    Result<SearchResult> extreme()
    {
        if (m_plan.goal == SearchPlan::Goal::largest) {
            std::reverse(m_stops.begin(), m_stops.end());
        }
        const auto meets = [](const SearchedPoint& point) { return point.problem.empty(); };
        const auto best = std::find_if(m_stops.begin(), m_stops.end(), [&](const FieldValue& stop) {
            return meets(at(stop));
        });
        if (best == m_stops.end()) {
            return Error{nothingMeets()};
        }
        SearchResult result{.metrics = computableMetrics(m_basis)};
        FieldValue good = *best;
        if (best != m_stops.begin()) {
            FieldValue bad = *std::prev(best);
            halve(good, bad, meets);
            result.next = at(bad);
        }
        result.found = at(good);
        result.evaluated = m_known.size();
        return result;
    }

    double distance(const SearchedPoint& point)
    {
        return point.problem.empty() ? std::abs(of(point, m_plan.metric) - m_plan.target)
                                     : std::numeric_limits<double>::infinity();
    }

    Result<SearchResult> nearest()
    {
        const auto closer = [&](const FieldValue& a, const FieldValue& b) {
            return distance(at(a)) < distance(at(b));
        };
        const auto best = std::min_element(m_stops.begin(), m_stops.end(), closer);
        if (!at(*best).problem.empty()) {
            return Error{nothingMeets()};
        }
        FieldValue found = *best;
        std::optional<FieldValue> next;
        if (best != m_stops.begin()) {
            approach(*best, *std::prev(best), found, next);
        }
        if (std::next(best) != m_stops.end()) {
            approach(*best, *std::next(best), found, next);
        }
        SearchResult result{.metrics = computableMetrics(m_basis), .found = at(found)};
        if (next) {
            result.next = at(*next);
        }
        result.evaluated = m_known.size();
        return result;
    }

    // The values on both sides of the target between two neighbouring stops.
    void approach(FieldValue here,
                  FieldValue there,
                  FieldValue& found,
                  std::optional<FieldValue>& next)
    {
        if (!at(there).problem.empty()) {
            return;
        }
        const bool below = of(at(here), m_plan.metric) < m_plan.target;
        halve(here, there, [&](const SearchedPoint& point) {
            return point.problem.empty() && (of(point, m_plan.metric) < m_plan.target) == below;
        });
        for (const FieldValue& value : {here, there}) {
            if (distance(at(value)) < distance(at(found))) {
                next = found;
                found = value;
            } else if (value != found && (!next || distance(at(value)) < distance(at(*next)))) {
                next = value;
            }
        }
    }

    std::string nothingMeets()
    {
        const FieldValue& first = m_stops.front();
        return "no legal value of " + m_plan.key + " meets this; at " + valueText(first) + ": "
            + at(first).problem;
    }

    const SearchPlan& m_plan;
    const Variation& m_variation;
    LegalValues m_legal;
    std::vector<FieldValue> m_stops;
    MetricBasis m_basis;
    std::vector<MetricId> m_metrics;
    std::map<FieldValue, SearchedPoint> m_known;
};

} // namespace

Result<double> parsedQuantity(std::string_view text, PlainB plainB)
{
    if (const std::optional<double> number = quantityOf(text, plainB)) {
        return *number;
    }
    return Error{"\"" + excerpt(text)
                 + "\" is no quantity; write a number such as 100M, 2GiB or 1e9"};
}

Result<double> parsedQuantity(std::string_view text, MetricId id)
{
    return parsedQuantity(text, metric(id).unit == "B" ? PlainB::bytes : PlainB::billions);
}

Result<Bound> parsedBound(std::string_view text)
{
    const std::size_t sign = text.find_first_of("<>");
    if (sign == std::string_view::npos || sign == 0) {
        return Error{"bound \"" + excerpt(text)
                     + "\": a bound is METRIC<=NUMBER or METRIC>=NUMBER, as in params<=100M"};
    }
    const std::string_view name = trimmed(text.substr(0, sign));
    const auto id = metricNamed(name);
    if (!id) {
        return Error{"bound \"" + excerpt(text) + "\": there is no metric \"" + excerpt(name)
                     + "\"; known are " + metricNames()};
    }
    std::string_view right = text.substr(sign + 1);
    if (!right.empty() && right.front() == '=') {
        right.remove_prefix(1);
    }
    const Result<double> limit = parsedQuantity(right, *id);
    if (!limit) {
        return Error{"bound \"" + excerpt(text) + "\": " + limit.error().message};
    }
    return Bound{*id, text[sign] == '<' ? Bound::Side::atMost : Bound::Side::atLeast, *limit};
}

Result<SearchResult> search(const SearchPlan& plan, const std::stop_token& stop)
{
    FLOPSMITH_TRY(const Variation variation, Variation::create(plan.base, {plan.key}, plan.ties));
    const Parameter parameter = matchingParameters(plan.base, plan.key).front();
    const FieldValue value = parameter.value(plan.base);
    if (!numberOf(value)) {
        return Error{plan.key + ": not a number; only numbers can be searched"};
    }
    for (const MetricId id : askedMetrics(plan)) {
        FLOPSMITH_RETURN_IF_ERROR(computable(id, plan.basis()));
    }
    return Searcher(plan, variation, parameter).run(stop);
}

} // namespace flopsmith
