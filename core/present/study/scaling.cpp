// SPDX-License-Identifier: MIT
#include "core/present/study/scaling.h"

#include "core/parameter/parameter_lookup.h"
#include "core/present/study/chart_texts.h"
#include "core/study/search/fit.h"
#include "core/study/sweep/sweep.h"
#include "core/study/variation/field_number.h"
#include "core/study/variation/variation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

namespace flopsmith {
namespace {

std::string fixed(double value, int decimals)
{
    std::array<char, 64> buffer{};
    const int length = std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, value);
    std::string text(buffer.data(), static_cast<std::size_t>(std::max(length, 0)));
    std::replace(text.begin(), text.end(), ',', '.'); // whatever the locale
    return text == "-0.00" ? "0.00" : text;
}

double valueAt(const ScalingRequest& request, const Scenario& scenario)
{
    const MetricBasis basis = request.basis();
    const auto values =
        metricValues({&request.metric, 1}, costTree(scenario, basis.pairs), scenario, basis);
    return values ? toDouble(values->front()) : std::numeric_limits<double>::quiet_NaN();
}

// Whether the axis changes the number of blocks, which depends on how they are divided into runs.
bool changesLayers(const Scenario& scenario, const Axis& axis)
{
    const std::vector<Parameter> swept = matchingParameters(scenario, axis.key);
    const auto changes = [&](const FieldValue& value) {
        Scenario changed = scenario;
        for (const Parameter& parameter : swept) {
            parameter.assign(changed, value);
        }
        return changed.model.layers() != scenario.model.layers();
    };
    return changes(axis.values.front()) || changes(axis.values.back());
}

// The scenario with equal blocks as one run, so that each is computed once: the order of blocks
// does not change the cost of a pass. Empty if that changes nothing, or is not possible.
std::optional<Scenario> withEqualBlocksGathered(const Scenario& scenario, const Axis& axis)
{
    const bool namesBlock = axis.key.find('[') != std::string::npos;
    Scenario gathered = scenario;
    gathered.model.gatherEqualBlocks();
    const bool same = gathered.model.runs.size() == scenario.model.runs.size();
    if (namesBlock || same || changesLayers(gathered, axis)) {
        return std::nullopt;
    }
    return gathered;
}

/// How many points of a curve could not be drawn, and the first reason.
struct LeftOut
{
    int illegal = 0;
    int unshowable = 0;
    std::string reason;
};

// Draws one curve of a chart whose axes are already chosen.
class CurveBuilder
{
public:
    CurveBuilder(const ScalingRequest& request, const ScalingChart& chart)
        : m_request(request)
        , m_chart(chart)
    {}

    ScalingCurve curve(const ScalingVariant& variant)
    {
        m_curve = {.title = variant.title,
                   .brief = variant.brief.empty() ? variant.title : variant.brief,
                   .dash = variant.dash,
                   .component = variant.component};
        m_leftOut = {};
        m_ties = tiesThatApply(variant.scenario, m_request.axis.key, variant.ties);
        addSweep(variant.scenario);
        fit();
        return std::move(m_curve);
    }

    std::string note(const ScalingVariant& variant) const
    {
        std::string note;
        if (m_leftOut.illegal > 0) {
            note = variant.title + ": " + std::to_string(m_leftOut.illegal) + " values left out ("
                + m_leftOut.reason + ")";
        }
        if (m_leftOut.unshowable > 0) {
            note += (note.empty() ? variant.title + ": " : "; ")
                + std::to_string(m_leftOut.unshowable)
                + " points left out, a logarithmic axis has no place for 0";
        }
        return note;
    }

private:
    void addConstant(const Scenario& scenario)
    {
        const double y = valueAt(m_request, scenario);
        for (const FieldValue& value :
             {m_request.axis.values.front(), m_request.axis.values.back()}) {
            addPoint(value, y);
        }
    }

    void addSweep(const Scenario& scenario)
    {
        // A scope counts runs, which change places where equal blocks are gathered.
        const auto gathered = m_ties.empty() && m_request.scope.isModel()
            ? withEqualBlocksGathered(scenario, m_request.axis)
            : std::nullopt;
        if (!gathered || !addSweepOf(*gathered) || m_leftOut.illegal > 0) {
            m_curve.points.clear();
            m_leftOut = {}; // reasons name blocks by their places in the model itself
            if (!addSweepOf(scenario)) { // a variant without the parameter does not change with it
                addConstant(scenario);
            }
        }
    }

    // Whether there is anything to sweep.
    bool addSweepOf(const Scenario& scenario)
    {
        const SweepPlan plan{.base = scenario,
                             .axes = {m_request.axis},
                             .lens = m_request.lens,
                             .pairs = m_request.basis().pairs,
                             .metrics = {m_request.metric},
                             .ties = m_ties,
                             .repairs = !m_ties.empty(), // as the window does
                             .on = m_request.on,
                             .scope = m_request.scope};
        return sweep(plan,
                     [this](const SweepPoint& point) {
                         if (point.possible()) {
                             addPoint(point.at.front(), toDouble(point.values.front()));
                         } else {
                             leaveOut(point.problem);
                         }
                     })
            .ok();
    }

    void addPoint(const FieldValue& value, double y)
    {
        const std::optional<double> x = numberOf(value);
        if (x && isShowable(m_chart.xScale, *x) && isShowable(m_chart.yScale, y)) {
            m_curve.points.push_back({*x, y});
        } else {
            ++m_leftOut.unshowable;
        }
    }

    void leaveOut(const std::string& reason)
    {
        ++m_leftOut.illegal;
        if (m_leftOut.reason.empty()) {
            m_leftOut.reason = reason;
        }
    }

    void fit()
    {
        std::vector<double> x;
        std::vector<double> y;
        for (const ScalingPoint& point : m_curve.points) {
            x.push_back(point.x);
            y.push_back(point.y);
        }
        if (const Result<PowerLaw> law = fitPowerLaw(x, y)) {
            m_curve.slope = law->exponent;
            m_curve.slopeText = "slope " + fixed(law->exponent, 2);
        }
    }

    const ScalingRequest& m_request;
    const ScalingChart& m_chart;
    ScalingCurve m_curve;
    std::vector<Tie> m_ties;
    LeftOut m_leftOut;
};

std::optional<ScalingMarker> markerOf(const ScalingVariant& variant,
                                      const std::optional<Parameter>& parameter,
                                      const ScalingRequest& request,
                                      const ScalingChart& chart)
{
    if (!parameter) {
        return std::nullopt;
    }
    const FieldValue value = parameter->value(variant.scenario);
    const std::optional<double> x = numberOf(value);
    const double y = valueAt(request, variant.scenario);
    if (!x || !isShowable(chart.xScale, *x) || !isShowable(chart.yScale, y)) {
        return std::nullopt;
    }
    return ScalingMarker{*x,
                         y,
                         chart.symbol + " = " + valueText(value) + ": "
                             + metricText(request.metric, request.lens, y)};
}

KeptCurves::Entry drawnAnew(const ScalingVariant& variant,
                            const ScalingRequest& request,
                            CurveBuilder& builder)
{
    KeptCurves::Entry entry{
        .title = variant.title, .scenario = variant.scenario, .request = request};
    entry.curve = builder.curve(variant);
    entry.note = builder.note(variant);
    return entry;
}

void addCurve(ScalingChart& chart, const KeptCurves::Entry& entry)
{
    chart.curves.push_back(entry.curve);
    if (!entry.note.empty()) {
        chart.notes.push_back(entry.note);
    }
}

struct CurveRange
{
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();

    void include(double value)
    {
        low = std::min(low, value);
        high = std::max(high, value);
    }
};

} // namespace

bool ScalingChart::empty() const
{
    return std::all_of(curves.begin(), curves.end(), [](const ScalingCurve& curve) {
        return curve.points.empty();
    });
}

TickAxis ScalingChart::xAxis(int maxTicks) const
{
    CurveRange range;
    for (const ScalingCurve& curve : curves) {
        for (const ScalingPoint& point : curve.points) {
            range.include(point.x);
        }
    }
    return tickAxis(xScale, range.low, range.high, maxTicks, xUnit, RangeEnds::keep);
}

TickAxis ScalingChart::yAxis(int maxTicks) const
{
    CurveRange range;
    for (const ScalingCurve& curve : curves) {
        for (const ScalingPoint& point : curve.points) {
            range.include(point.y);
        }
    }
    if (marker) {
        range.include(marker->y);
    }
    if (measured) {
        for (const MeasuredScalingCurve& curve : measured->curves) {
            for (const MeasuredScalingPoint& point : curve.points) {
                range.include(point.value * measured->factor);
            }
        }
    }
    constexpr double kDecade = 10.0;
    constexpr double kMargin = 1.15;
    if (range.high > range.low && range.high < range.low * kDecade) { // closer than whole decades
        return tickAxis(
            yScale, range.low / kMargin, range.high * kMargin, maxTicks, yUnit, RangeEnds::keep);
    }
    return tickAxis(yScale, range.low, range.high, maxTicks, yUnit, RangeEnds::grow);
}

bool KeptCurves::Entry::isOf(const ScalingVariant& variant, const ScalingRequest& asked) const
{
    const bool sameHardware = request.on.has_value() == asked.on.has_value()
        && (!asked.on
            || (request.on->hardware == asked.on->hardware
                && request.on->format == asked.on->format));
    return title == variant.title && request.metric == asked.metric && request.lens == asked.lens
        && request.pairs == asked.pairs && request.scope == asked.scope && sameHardware
        && request.axis == asked.axis && scenario == variant.scenario;
}

const KeptCurves::Entry* KeptCurves::find(const ScalingVariant& variant,
                                          const ScalingRequest& request) const
{
    const auto found = std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry& entry) {
        return entry.isOf(variant, request);
    });
    return found == m_entries.end() ? nullptr : &*found;
}

void KeptCurves::keep(Entry entry)
{
    constexpr std::size_t kMaxKept = 2 * kMaxDesigns; // of two charts
    if (m_entries.size() >= kMaxKept) {
        m_entries.erase(m_entries.begin());
    }
    m_entries.push_back(std::move(entry));
}

namespace {

// Empty if the designs' precisions differ.
std::optional<Precision> precisionOf(std::span<const ScalingVariant> variants,
                                     const ScalingRequest& request)
{
    const auto differs = [&](const ScalingVariant& each) {
        return each.scenario.workload.precision != variants.front().scenario.workload.precision;
    };
    return variants.empty() || std::any_of(variants.begin(), variants.end(), differs)
        ? std::nullopt
        : precisionAlong(variants.front().scenario, std::span(&request.axis, 1));
}

} // namespace

ScalingChart scalingChart(std::span<const ScalingVariant> variants,
                          const ScalingRequest& request,
                          KeptCurves* kept)
{
    ScalingChart chart{.metric = request.metric, .key = request.axis.key};
    chart.yTitle = metricTitle(request.metric, request.basis(), precisionOf(variants, request));
    chart.yScale = AxisScale::log10;
    chart.yUnit = tickUnit(request.metric);
    if (variants.empty() || request.axis.values.empty() || !numberOf(request.axis.values.front())) {
        chart.emptyText = variants.empty() ? "There is no model to draw."
                                           : "Choose a parameter that is a number.";
        return chart;
    }
    if (const Status has = computable(request.metric, request.basis()); !has) {
        chart.emptyText = has.error().message;
        return chart;
    }
    const auto parameter = firstParameter(variants.front().scenario, request.axis.key);
    chart.xTitle = parameterTitle(variants.front().scenario, request.axis);
    chart.xHelp = parameterHelp(variants.front().scenario, request.axis);
    chart.symbol = parameterSymbol(variants.front().scenario, request.axis);
    const bool logarithmic =
        request.axis.scale == Scale::log2 && *numberOf(request.axis.values.front()) > 0.0;
    chart.xScale = logarithmic ? AxisScale::log2 : AxisScale::linear;
    chart.xUnit = logarithmic ? TickUnit::binary : TickUnit::si;

    CurveBuilder builder(request, chart);
    for (std::size_t i = 0; i < variants.size(); ++i) {
        const bool mayKeep = kept != nullptr && i > 0;
        if (const auto* old = mayKeep ? kept->find(variants[i], request) : nullptr) {
            addCurve(chart, *old);
            continue;
        }
        KeptCurves::Entry entry = drawnAnew(variants[i], request, builder);
        addCurve(chart, entry);
        if (mayKeep) {
            kept->keep(std::move(entry));
        }
    }
    chart.marker = markerOf(variants.front(), parameter, request, chart);
    if (chart.empty()) {
        chart.emptyText = "Nothing of this range can be drawn. Choose another parameter or metric.";
    }
    return chart;
}

} // namespace flopsmith
