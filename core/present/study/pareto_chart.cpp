// SPDX-License-Identifier: MIT
#include "core/present/study/pareto_chart.h"

#include "core/base/printable.h"
#include "core/parameter/parameter_lookup.h"
#include "core/present/study/chart_texts.h"
#include "core/study/sweep/sweep.h"
#include "core/study/variation/field_number.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace flopsmith {
namespace {

constexpr double kWideRange = 10.0; ///< largest over smallest: beyond it an axis is logarithmic
constexpr double kLogMargin = 1.12; ///< beyond the outermost points
constexpr double kLinearMargin = 0.05; ///< of the range

Result<ParetoGoal> parsedGoal(std::string_view text)
{
    const bool isMore = !text.empty() && text.front() == '+';
    const std::string_view name = isMore ? text.substr(1) : text;
    const auto id = metricNamed(name);
    if (!id) {
        return Error{"\"" + excerpt(name) + "\": no such metric; known are "
                     + metricNames(metrics(MetricNeeds::nothing))};
    }
    return ParetoGoal{*id, isMore ? Better::larger : Better::smaller};
}

bool isAsGood(double one, double other, Better better)
{
    return better == Better::smaller ? one <= other : one >= other;
}

// Names the parameters' values in one line.
class DesignNames
{
public:
    DesignNames(const Scenario& scenario, const std::vector<Axis>& axes)
    {
        for (const Axis& axis : axes) {
            m_labels.push_back(axis.label);
            m_symbols.push_back(parameterSymbol(scenario, axis));
        }
    }

    std::string title(const std::vector<FieldValue>& at) const { return line(m_labels, at); }
    std::string brief(const std::vector<FieldValue>& at) const { return line(m_symbols, at); }

    // "d_model and layers"
    std::string parameters() const
    {
        std::string all;
        for (std::size_t i = 0; i < m_labels.size(); ++i) {
            all += (i == 0 ? "" : i + 1 == m_labels.size() ? " and " : ", ") + m_labels[i];
        }
        return all;
    }

private:
    static std::string line(const std::vector<std::string>& names,
                            const std::vector<FieldValue>& at)
    {
        std::string text;
        for (std::size_t i = 0; i < names.size(); ++i) {
            text += (i == 0 ? "" : ", ") + names[i] + " " + valueText(at[i]);
        }
        return text;
    }

    std::vector<std::string> m_labels;
    std::vector<std::string> m_symbols;
};

/// Computes the designs, and finds the best of them.
class ParetoBuilder
{
public:
    ParetoBuilder(const Scenario& scenario, const ParetoRequest& request)
        : m_scenario(scenario)
        , m_request(request)
        , m_names(scenario, request.axes)
    {}

    Result<ParetoChart> chart()
    {
        m_chart.goals = m_request.goals;
        m_chart.parameters = m_names.parameters();
        for (const Axis& axis : m_request.axes) {
            m_chart.keys.push_back(axis.key);
        }
        FLOPSMITH_RETURN_IF_ERROR(countAll());
        findFront();
        addPresent();
        m_chart.x = axisOfGoal(0, &ParetoPoint::x);
        m_chart.y = axisOfGoal(1, &ParetoPoint::y);
        addSteps();
        addTexts();
        return std::move(m_chart);
    }

private:
    std::vector<MetricId> metricIds() const
    {
        return {m_request.goals[0].metric, m_request.goals[1].metric};
    }

    Status countAll()
    {
        const SweepPlan plan{.base = m_scenario,
                             .axes = m_request.axes,
                             .lens = m_request.lens,
                             .pairs = m_request.basis().pairs,
                             .metrics = metricIds(),
                             .ties = m_request.ties,
                             .repairs = !m_request.ties.empty(), // as the window does
                             .on = m_request.on,
                             .scope = m_request.scope};
        const Result<SweepEnd> end =
            sweep(plan, [this](const SweepPoint& point) { addPoint(point); });
        return end ? Status(Done{}) : end.error();
    }

    void addPoint(const SweepPoint& point)
    {
        ParetoPoint design = designOf(point.at, point.values);
        if (point.possible() && std::isfinite(design.x) && std::isfinite(design.y)) {
            m_chart.points.push_back(std::move(design));
            return;
        }
        ++m_missing;
        if (m_reason.empty()) {
            m_reason = point.possible() ? "a metric has no value there" : point.problem;
        }
    }

    ParetoPoint designOf(const std::vector<FieldValue>& at,
                         const std::vector<MetricValue>& values) const
    {
        ParetoPoint design{.at = at, .title = m_names.title(at), .brief = m_names.brief(at)};
        for (std::size_t i = 0; i < values.size(); ++i) {
            design.exact[i] = values[i];
            design.texts[i] = exactMetricText(m_request.goals[i].metric, m_request.lens, values[i]);
        }
        design.x = toDouble(design.exact[0]);
        design.y = toDouble(design.exact[1]);
        return design;
    }

    void findFront()
    {
        std::vector<std::vector<double>> quantities;
        for (const ParetoPoint& point : m_chart.points) {
            quantities.push_back({point.x, point.y});
        }
        const std::array directions{m_request.goals[0].better, m_request.goals[1].better};
        m_chart.front = paretoFront(quantities, directions);
        for (const std::size_t index : m_chart.front) {
            m_chart.points[index].onFront = true;
        }
        std::stable_sort(
            m_chart.front.begin(), m_chart.front.end(), [this](std::size_t a, std::size_t b) {
                return m_chart.points[a].x < m_chart.points[b].x;
            });
    }

    void addPresent()
    {
        const MetricBasis basis = m_request.basis();
        const auto values =
            metricValues(metricIds(), costTree(m_scenario, basis.pairs), m_scenario, basis);
        std::vector<FieldValue> at;
        for (const Axis& axis : m_request.axes) {
            const auto parameter = firstParameter(m_scenario, axis.key);
            at.push_back(parameter ? parameter->value(m_scenario) : FieldValue{});
        }
        if (!values) {
            return;
        }
        ParetoPoint present = designOf(at, *values);
        if (!std::isfinite(present.x) || !std::isfinite(present.y)) {
            return;
        }
        const auto better =
            std::count_if(m_chart.points.begin(), m_chart.points.end(), [&](const auto& point) {
                return m_chart.beats(point, present);
            });
        m_chart.beatPresent = static_cast<std::size_t>(better);
        present.onFront = better == 0;
        m_chart.present = std::move(present);
    }

    ParetoAxis axisOfGoal(std::size_t which, double ParetoPoint::*quantity) const
    {
        const ParetoGoal& goal = m_request.goals[which];
        const std::string title =
            metricTitle(goal.metric, m_request.basis(), precisionAlong(m_scenario, m_request.axes));
        ParetoAxis axis{
            .title = title
                + (goal.better == Better::smaller ? " (less is better)" : " (more is better)"),
            .metric = title,
            .unit = tickUnit(goal.metric),
            .low = std::numeric_limits<double>::infinity(),
            .high = -std::numeric_limits<double>::infinity()};
        const auto include = [&axis](double value) {
            axis.low = std::min(axis.low, value);
            axis.high = std::max(axis.high, value);
        };
        for (const ParetoPoint& point : m_chart.points) {
            include(point.*quantity);
        }
        if (m_chart.present) {
            include(*m_chart.present.*quantity);
        }
        const bool isWide = axis.low > 0.0 && axis.high >= kWideRange * axis.low;
        axis.scale = isWide ? AxisScale::log10 : AxisScale::linear;
        return axis;
    }

    // Where small x is better the front continues at the level of the point before, where large x
    // is better at the level of the point after.
    void addSteps()
    {
        const bool wantsLittle = m_request.goals[0].better == Better::smaller;
        for (std::size_t i = 0; i < m_chart.front.size(); ++i) {
            const ParetoPoint& here = m_chart.points[m_chart.front[i]];
            if (i > 0) {
                const ParetoPlace before = m_chart.steps.back();
                m_chart.steps.push_back(wantsLittle ? ParetoPlace{here.x, before.y}
                                                    : ParetoPlace{before.x, here.y});
            }
            m_chart.steps.push_back({here.x, here.y});
        }
    }

    void addTexts()
    {
        if (m_chart.points.empty()) {
            m_chart.emptyText = "None of these designs is possible: " + m_reason;
            return;
        }
        m_chart.caption = std::to_string(m_chart.front.size()) + " of "
            + std::to_string(m_chart.points.size()) + " designs are beaten by no other";
        if (m_chart.present) {
            m_chart.caption += m_chart.beatPresent == 0
                ? "; none beats this design"
                : "; " + std::to_string(m_chart.beatPresent) + " beat this design";
        }
        if (m_missing > 0) {
            m_chart.caption +=
                "; " + std::to_string(m_missing) + " are not possible: " + shortReason(m_reason);
        }
    }

    const Scenario& m_scenario;
    const ParetoRequest& m_request;
    DesignNames m_names;
    ParetoChart m_chart;
    std::size_t m_missing = 0;
    std::string m_reason;
};

Status paretoFits(const ParetoRequest& request)
{
    std::size_t points = 1;
    for (const Axis& axis : request.axes) {
        points = std::min(points * axis.values.size(), kMaxParetoPoints + 1);
    }
    if (request.axes.empty() || points == 0) {
        return Error{"a Pareto front needs a parameter with values"};
    }
    if (points > kMaxParetoPoints) {
        return Error{"a Pareto front shows at most " + std::to_string(kMaxParetoPoints)
                     + " designs; take fewer values"};
    }
    for (const ParetoGoal& goal : request.goals) {
        FLOPSMITH_RETURN_IF_ERROR(computable(goal.metric, request.basis()));
    }
    return Done{};
}

} // namespace

ParetoGoal usualGoal(MetricId id)
{
    switch (id) {
    case MetricId::params:
    case MetricId::activeParams:
    case MetricId::intensity:
    case MetricId::lowerBoundTokensPerSecond:
    case MetricId::mfuAtLowerBound:
    case MetricId::tokensPerSecond:
    case MetricId::flopsPerSecond: return {id, Better::larger};
    default: return {id, Better::smaller};
    }
}

ParetoGoals usualGoals()
{
    return {usualGoal(MetricId::flopsPerToken), usualGoal(MetricId::params)};
}

Result<ParetoGoals> parsedGoals(std::string_view text)
{
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos || text.find(',', comma + 1) != std::string_view::npos) {
        return Error{"a front is drawn of two metrics, as in flops_per_token,+params"};
    }
    const Result<ParetoGoal> x = parsedGoal(text.substr(0, comma));
    const Result<ParetoGoal> y = parsedGoal(text.substr(comma + 1));
    if (!x || !y) {
        return x ? y.error() : x.error();
    }
    return ParetoGoals{*x, *y};
}

TickAxis ParetoAxis::ticks(int maxTicks) const
{
    if (scale == AxisScale::linear) {
        const double margin = kLinearMargin * (high - low);
        return tickAxis(scale, low - margin, high + margin, maxTicks, unit, RangeEnds::keep);
    }
    return tickAxis(scale, low / kLogMargin, high * kLogMargin, maxTicks, unit, RangeEnds::keep);
}

bool ParetoChart::beats(const ParetoPoint& one, const ParetoPoint& other) const
{
    return isAsGood(one.x, other.x, goals[0].better) && isAsGood(one.y, other.y, goals[1].better)
        && (one.x != other.x || one.y != other.y);
}

Result<ParetoChart> paretoChart(const Scenario& scenario, const ParetoRequest& request)
{
    FLOPSMITH_RETURN_IF_ERROR(paretoFits(request));
    return ParetoBuilder(scenario, request).chart();
}

} // namespace flopsmith
