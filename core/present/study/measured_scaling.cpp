// SPDX-License-Identifier: MIT
#include "core/present/study/measured_scaling.h"

#include "core/base/text.h"
#include "core/study/search/fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace flopsmith {
namespace {

std::string slopeText(const PowerLaw& law)
{
    std::array<char, 64> text{};
    if (law.exponentError) {
        std::snprintf(
            text.data(), text.size(), "%.2f \xC2\xB1 %.2f", law.exponent, *law.exponentError);
    } else {
        std::snprintf(text.data(), text.size(), "%.2f", law.exponent);
    }
    std::string slope(text.data());
    std::replace(slope.begin(), slope.end(), ',', '.'); // whatever the locale
    return slope;
}

MeasuredScalingPoint pointOf(const CurveTime& measured, MetricId metric)
{
    const PassTime& time = measured.time;
    MeasuredScalingPoint point{.x = measured.x,
                               .seconds = time.seconds,
                               .madSeconds = time.madSeconds,
                               .flopsPerSecond = time.flopsPerSecond(),
                               .settled = time.settled};
    const bool rate = metric == MetricId::flopsPerSecond;
    point.value = rate ? point.flopsPerSecond : point.seconds;
    point.spread = point.value * time.madSeconds / time.seconds;
    return point;
}

MeasuredScalingCurve curveOf(const std::vector<CurveTime>& times, const ScalingChart& chart)
{
    MeasuredScalingCurve curve;
    std::vector<double> x;
    std::vector<double> y;
    for (const CurveTime& each : times) {
        const MeasuredScalingPoint point = pointOf(each, chart.measured->metric);
        if (isShowable(chart.xScale, point.x) && point.value > 0.0) {
            curve.points.push_back(point);
            x.push_back(point.x);
            y.push_back(point.value);
        }
    }
    if (const Result<PowerLaw> law = fitPowerLaw(x, y)) {
        curve.slope = law->exponent;
        curve.slopeText = slopeText(*law);
    }
    return curve;
}

// The factor that puts the first measured curve on its computed one, on average over the logarithms.
double factorOf(const ScalingChart& chart, const MeasuredScaling& measured)
{
    for (std::size_t i = 0; i < measured.curves.size() && i < chart.curves.size(); ++i) {
        double sum = 0.0;
        int common = 0;
        for (const MeasuredScalingPoint& point : measured.curves[i].points) {
            const std::vector<ScalingPoint>& computed = chart.curves[i].points;
            const auto same = std::find_if(computed.begin(),
                                           computed.end(),
                                           [&](const ScalingPoint& p) { return p.x == point.x; });
            if (same != computed.end() && same->y > 0.0) {
                sum += std::log(same->y / point.value);
                ++common;
            }
        }
        if (common > 0) {
            return std::exp(sum / common);
        }
    }
    return 1.0;
}

// A comparison of the first two curves: which one is called the faster, and from where on.
struct Winner
{
    std::size_t faster = 0;
    std::size_t slower = 1;
    Crossover crossover;
};

std::optional<Winner> winner(const MeasuredCurves& measured, std::size_t curves)
{
    if (curves < 2) {
        return std::nullopt;
    }
    const auto result = [&measured](std::size_t part) { return measured.result(part); };
    for (const Winner& pair : {Winner{0, 1, {}}, Winner{1, 0, {}}}) {
        const auto found = crossover(measured.plan, pair.faster, pair.slower, result);
        if (found && found->kind != Crossover::Kind::never) {
            return Winner{pair.faster, pair.slower, *found};
        }
    }
    return std::nullopt;
}

double firstX(const ScalingChart& chart)
{
    double first = std::numeric_limits<double>::infinity();
    for (const MeasuredScalingCurve& curve : chart.measured->curves) {
        first = curve.points.empty() ? first : std::min(first, curve.points.front().x);
    }
    return first;
}

double lastX(const ScalingChart& chart)
{
    double last = -std::numeric_limits<double>::infinity();
    for (const MeasuredScalingCurve& curve : chart.measured->curves) {
        last = curve.points.empty() ? last : std::max(last, curve.points.back().x);
    }
    return last;
}

/// The wording of a caption: in full, or short for a card with one line, where the interval, which
/// the chart shows too, comes last.
struct Wording
{
    std::string ScalingCurve::*name; ///< a title of curves
    bool intervalLast;
};

constexpr Wording kFull{&ScalingCurve::title, false};
constexpr Wording kBrief{&ScalingCurve::brief, true};

std::string intervalText(const Crossover& found)
{
    if (found.low && found.high) {
        return "95 %: " + siText(*found.low) + " to " + siText(*found.high);
    }
    return found.low ? "95 %: " + siText(*found.low) + " or above"
                     : "95 %: " + siText(*found.high) + " or below";
}

// Whether the confidence interval includes any crossover, also outside of the measured range.
bool isAnywhere(const Crossover& found)
{
    return found.kind == Crossover::Kind::from && !found.low && !found.high;
}

// The numbers first: where there is little space, the end is cut.
std::string winnerText(const ScalingChart& chart, const Winner& one, const Wording& wording)
{
    const std::string faster = chart.curves[one.faster].*wording.name;
    const std::string slower = chart.curves[one.slower].*wording.name;
    if (isAnywhere(one.crossover)) {
        return "Too close to say which is faster: " + faster + " or " + slower;
    }
    const std::string who = ": " + faster + " than " + slower;
    if (one.crossover.kind == Crossover::Kind::always) {
        return "Faster at every " + chart.symbol + " measured" + who;
    }
    const std::string from =
        "Faster from " + chart.symbol + " \xE2\x89\x88 " + siText(one.crossover.x);
    const std::string interval = intervalText(one.crossover);
    return wording.intervalLast ? from + who + "; " + interval : from + " (" + interval + ")" + who;
}

std::size_t donePoints(const MeasuredScaling& measured)
{
    std::size_t done = 0;
    for (const MeasuredScalingCurve& curve : measured.curves) {
        done += curve.points.size();
    }
    return done;
}

bool allSettled(const MeasuredScaling& measured)
{
    for (const MeasuredScalingCurve& curve : measured.curves) {
        for (const MeasuredScalingPoint& point : curve.points) {
            if (!point.settled) {
                return false;
            }
        }
    }
    return true;
}

std::string progressText(const MeasuredCurves& measured, const MeasuredScaling& shown)
{
    const std::size_t done = donePoints(shown);
    const std::size_t all = measured.plan.points.size();
    if (done == all) {
        return {};
    }
    const std::string count = std::to_string(done) + " of " + std::to_string(all) + " points";
    if (measured.running) {
        return "measuring: " + count;
    }
    return count + " measured"
        + (measured.failures.empty() ? std::string() : " (" + measured.failures.front() + ")");
}

std::string captionOf(const ScalingChart& chart,
                      const MeasuredCurves& measured,
                      const std::optional<Winner>& one,
                      const Wording& wording)
{
    std::string caption;
    const auto add = [&caption](const std::string& clause) {
        caption += (caption.empty() || clause.empty() ? "" : "; ") + clause;
    };
    add(one ? winnerText(chart, *one, wording) : std::string());
    add(progressText(measured, *chart.measured));
    add(allSettled(*chart.measured) ? std::string() : "open points have not settled");
    return caption;
}

} // namespace

const Measured* MeasuredCurves::result(std::size_t part) const
{
    return part < results.size() && results[part] ? &*results[part] : nullptr;
}

bool MeasuredScaling::empty() const
{
    return donePoints(*this) == 0;
}

CurvePlan curvePlan(std::span<const ScalingVariant> variants, const Axis& axis)
{
    std::vector<Scenario> scenarios;
    for (const ScalingVariant& variant : variants) {
        scenarios.push_back(variant.scenario);
    }
    const std::vector<Tie> ties = variants.empty() ? std::vector<Tie>{} : variants.front().ties;
    return curvePlan(scenarios, thinned(axis), ties);
}

void addMeasured(ScalingChart& chart, const MeasuredCurves& measured)
{
    if (chart.empty()) {
        return;
    }
    chart.measured = MeasuredScaling{.metric = measured.metric, .device = measured.device};
    MeasuredScaling& shown = *chart.measured;
    shown.title = measured.metric == MetricId::time ? "measured time" : "achieved FLOP/s";
    const auto result = [&measured](std::size_t part) { return measured.result(part); };
    for (const std::vector<CurveTime>& times :
         curveTimes(measured.plan, chart.curves.size(), result)) {
        shown.curves.push_back(curveOf(times, chart));
    }
    shown.factor = factorOf(chart, shown);
    const std::optional<Winner> one = winner(measured, chart.curves.size());
    shown.caption = captionOf(chart, measured, one, kFull);
    shown.briefCaption = captionOf(chart, measured, one, kBrief);
    if (one && one->crossover.kind == Crossover::Kind::from && !isAnywhere(one->crossover)) {
        shown.crossover = ScalingCrossover{one->crossover.x,
                                           one->crossover.low.value_or(firstX(chart)),
                                           one->crossover.high.value_or(lastX(chart))};
    }
}

TickAxis ScalingChart::measuredAxis(const TickAxis& y, int maxTicks) const
{
    if (!measured || measured->empty()) {
        return y;
    }
    const double factor = measured->factor;
    const TickUnit unit = measured->metric == MetricId::time ? TickUnit::seconds : TickUnit::si;
    TickAxis axis = tickAxis(AxisScale::log10,
                             y.valueAt(0.0) / factor,
                             y.valueAt(1.0) / factor,
                             maxTicks,
                             unit,
                             RangeEnds::keep);
    for (Tick& tick : axis.ticks) {
        tick.position = axisPosition(y.scale, tick.value * factor);
    }
    axis.scale = y.scale;
    axis.low = y.low;
    axis.high = y.high;
    return axis;
}

} // namespace flopsmith
