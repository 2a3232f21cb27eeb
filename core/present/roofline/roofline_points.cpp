// SPDX-License-Identifier: MIT
#include "core/present/roofline/roofline_points.h"

#include "core/base/text.h"
#include "core/budget/even_routing.h"
#include "core/present/base/design_marks.h"
#include "core/present/roofline/roofline_ceilings.h"
#include "core/present/time/run_time.h"

#include <algorithm>
#include <cmath>

namespace flopsmith {
namespace {

constexpr std::size_t kMaxLabels = 6;
constexpr double kSmallestLabelled = 0.02; // share of the time

// "Attention: scores", "Dense: c fc".
std::string titleOf(const CostTree<Count>::Node& node)
{
    std::string name(node.name);
    std::replace(name.begin(), name.end(), '_', ' ');
    return std::string(node.component->title) + ": " + name;
}

std::string tipText(const RooflinePoint& point)
{
    return siText(point.at.intensity) + " FLOPs per byte, "
        + (point.origin == Origin::computed ? "at least " : "measured ")
        + durationText(point.seconds) + ", bound by " + std::string(enumName(point.binding));
}

bool isSamePoint(const RooflinePoint& a, const RooflinePoint& b)
{
    constexpr double kEqual = 1e-9;
    return a.title == b.title
        && std::abs(a.at.intensity - b.at.intensity) <= kEqual * b.at.intensity;
}

void addPoint(std::vector<RooflinePoint>& points, RooflinePoint point)
{
    const auto same = std::find_if(points.begin(), points.end(), [&](const RooflinePoint& other) {
        return other.origin == point.origin && isSamePoint(other, point);
    });
    if (same == points.end()) {
        points.push_back(std::move(point));
    } else {
        same->seconds += point.seconds;
        same->paths.insert(same->paths.end(), point.paths.begin(), point.paths.end());
    }
}

// Operations without FLOPs have no position on a logarithmic axis.
void noteUnshown(double seconds, double whole, const char* ofWhat, RooflineChart& chart)
{
    if (seconds > 0.0) {
        chart.notes.push_back("not shown: operations that the lens counts nothing of, "
                              + percentText(seconds / whole) + ofWhat);
    }
}

void setShares(Origin origin, double whole, RooflineChart& chart)
{
    for (RooflinePoint& point : chart.points) {
        if (point.origin == origin) {
            point.share = point.seconds / whole;
        }
    }
}

void addComputed(const CostTree<Count>& tree, const Roofline& all, RooflineChart& chart)
{
    double unshown = 0.0;
    for (int i = 0; i < tree.size(); ++i) {
        const auto& node = tree.node(i);
        const RooflinePart& part = all.parts[static_cast<std::size_t>(i)];
        const double seconds = toDouble(part.uses) * part.seconds;
        if (node.kind == OpKind::group || seconds <= 0.0) {
            continue;
        }
        if (part.flops == 0 || part.bytes == 0) {
            unshown += seconds;
            continue;
        }
        addPoint(chart.points,
                 {.component = node.component,
                  .title = titleOf(node),
                  .paths = {tree.path(i)},
                  .at = {part.intensity(), toDouble(part.flops) / part.seconds},
                  .seconds = seconds,
                  .binding = part.binding});
    }
    setShares(Origin::computed, all.whole().seconds, chart);
    noteUnshown(unshown, all.whole().seconds, " of the lower bound", chart);
}

std::vector<std::string> pathsOf(const MeasuredPart& part)
{
    std::vector<std::string> paths{part.path};
    paths.insert(paths.end(), part.elsewhere.begin(), part.elsewhere.end());
    return paths;
}

void addMeasured(std::span<const MeasuredPart> parts,
                 std::span<const PartTime> times,
                 const Precision& precision,
                 LensId lens,
                 const Peaks& peaks,
                 RooflineChart& chart)
{
    double whole = 0.0;
    double unshown = 0.0;
    for (std::size_t i = 0; i < std::min(parts.size(), times.size()); ++i) {
        const MeasuredPart& part = parts[i];
        if (!times[i].hasTime() || !part.addsToTotal()) {
            continue;
        }
        const double seconds = times[i].medianSeconds * part.uses;
        whole += seconds;
        const CostTree<Count> tree = costTree(part.operation);
        const Cost<Count> cost = tree.total();
        const double flops = toDouble(pricedPart(lensOfParts(lens), tree, 0));
        const double moved = toDouble(bytes(cost.traffic, precision).total());
        if (flops <= 0.0 || moved <= 0.0) {
            unshown += seconds;
            continue;
        }
        const std::string uses = part.uses > 1 ? " \xC3\x97" + std::to_string(part.uses) : "";
        chart.points.push_back({.origin = Origin::measured,
                                .component = part.component,
                                .title = part.title + uses,
                                .paths = pathsOf(part),
                                .at = {flops / moved, flops / times[i].medianSeconds},
                                .seconds = seconds,
                                .binding = lowerBound(flops, moved, peaks).binding});
    }
    const PartsMeasured measured = partsMeasured(parts, times);
    if (measured.isComplete()) {
        setShares(Origin::measured, whole, chart);
        noteUnshown(unshown, whole, " of the measured time", chart);
    } else if (measured.timed > 0) {
        chart.notes.push_back("measured: " + measured.text()
                              + "; shares of the time are known when all are");
    }
}

void finish(RooflineChart& chart)
{
    std::stable_sort(chart.points.begin(), chart.points.end(), [](const auto& a, const auto& b) {
        return a.seconds > b.seconds;
    });
    std::size_t labels = 0;
    for (RooflinePoint& point : chart.points) {
        point.labelled = point.origin == chart.ranked && labels < kMaxLabels
            && point.share.value_or(0.0) >= kSmallestLabelled;
        labels += point.labelled ? 1 : 0;
        point.text = tipText(point);
    }
    if (chart.empty()) {
        chart.emptyText = "This lens counts nothing here. Choose another lens.";
    }
}

} // namespace

TickAxis RooflineChart::xAxis(int maxTicks) const
{
    double low = peaks.ridge();
    double high = peaks.ridge();
    for (const RooflinePoint& point : points) {
        low = std::min(low, point.at.intensity);
        high = std::max(high, point.at.intensity);
    }
    // Some of the flat roof is always visible.
    constexpr double kBeyondRidge = 4.0;
    high = std::max(high, kBeyondRidge * peaks.ridge());
    const MeasuredExtent measured = measuredExtent(*this);
    if (measured.ridge() > 0.0) {
        low = std::min(low, measured.ridge() / kBeyondRidge);
        high = std::max(high, kBeyondRidge * measured.ridge());
    }
    return tickAxis(AxisScale::log10, low, high, maxTicks);
}

TickAxis RooflineChart::yAxis(int maxTicks) const
{
    double low = peaks.flopsPerSecond;
    double high = 2.0 * peaks.flopsPerSecond;
    for (const RooflinePoint& point : points) {
        low = std::min(low, point.at.flopsPerSecond);
        high = std::max(high, point.at.flopsPerSecond); // where caches help, above the slope
    }
    for (const RooflineCeiling& ceiling : ceilings) {
        if (ceiling.kind == RooflineCeiling::Kind::product) {
            low = std::min(low, ceiling.perSecond / 2.0);
            high = std::max(high, 2.0 * ceiling.perSecond);
        }
    }
    return tickAxis(AxisScale::log10, low, high, maxTicks);
}

std::vector<RooflinePlace> RooflineChart::roof(const TickAxis& xAxis) const
{
    const double left = xAxis.valueAt(0.0);
    const double right = xAxis.valueAt(1.0);
    const auto height = [this](double intensity) {
        return std::min(peaks.flopsPerSecond, intensity * peaks.bytesPerSecond);
    };
    std::vector<RooflinePlace> corners{{left, height(left)}};
    if (left < peaks.ridge() && peaks.ridge() < right) {
        corners.push_back({peaks.ridge(), peaks.flopsPerSecond});
    }
    corners.push_back({right, height(right)});
    return corners;
}

RooflineChart rooflineChart(const Scenario& scenario,
                            const CostTree<Count>& tree,
                            LensId lens,
                            const HardwarePeak& on,
                            std::span<const MeasuredPart> parts,
                            std::span<const PartTime> times,
                            const MachineRoofs* machine)
{
    const Precision& precision = scenario.workload.precision;
    RooflineChart chart{.title =
                            on.hardware.name + ", dense " + std::string(enumName(on.peak.format)),
                        .peaks = on.peaks()};
    if (!chart.peaks.known()) {
        chart.emptyText =
            "The peaks of this device are not known. Choose other hardware, or measure this one.";
        return chart;
    }
    const Roofline all = roofline(tree, precision, chart.peaks, lens);
    const std::string format(enumName(on.peak.format));
    chart.peakText = format + " " + rateText(chart.peaks.flopsPerSecond, "FLOP/s");
    chart.bandwidthText = rateText(chart.peaks.bytesPerSecond, "B/s");
    chart.ridgeText = siText(chart.peaks.ridge()) + " FLOPs per byte";
    chart.boundText = "at least " + durationText(all.whole().seconds) + " in " + format
        + ", mostly bound by " + std::string(enumName(all.whole().binding)) + ": a lower bound";
    chart.notes.push_back("bytes are counted " + inPrecision(precision));
    if (const std::vector<RoutedExperts> kinds = uncertainReads(tree); !kinds.empty()) {
        chart.notes.push_back("the fewest are counted of " + expertReadsText(kinds));
    }
    addComputed(tree, all, chart);
    if (machine != nullptr) {
        addMachine(*machine, on, chart);
    }
    const Peaks measuredOn = machine != nullptr ? machine->peaks() : chart.peaks;
    addMeasured(parts, times, precision, lens, measuredOn, chart);
    const bool ofThisDevice = machine == nullptr || chart.roofOrigin == Origin::measured;
    if (ofThisDevice && partsMeasured(parts, times).isComplete()) {
        chart.ranked = Origin::measured;
    }
    if (std::string failed = failedPartsText(parts, times); !failed.empty()) {
        chart.notes.push_back(std::move(failed));
    }
    finish(chart);
    return chart;
}

void addDesigns(RooflineChart& chart,
                const Hardware& on,
                std::span<const ComparedDesign> designs,
                LensId lens,
                PairsRule pairs)
{
    if (chart.empty() || designs.empty()) {
        return;
    }
    const Precision& first = designs.front().scenario.workload.precision;
    for (std::size_t i = 0; i < designs.size(); ++i) {
        const ComparedDesign& design = designs[i];
        const Precision& precision = design.scenario.workload.precision;
        // The requested peak is for the first design's precision.
        const Result<HardwarePeak> own = hardwarePeak(on, precision);
        const Peaks peaks = precision != first && own ? own->peaks() : chart.peaks;
        const RooflinePart whole =
            (design.tree != nullptr
                 ? roofline(*design.tree, precision, peaks, lens)
                 : roofline(costTree(design.scenario, pairs), precision, peaks, lens))
                .whole();
        if (whole.flops == 0 || whole.bytes == 0) {
            continue;
        }
        chart.points.push_back(
            {.component = i == 0 ? &liveMark() : &designMark(design, i - 1),
             .title = design.name + (precision == first ? "" : " " + inPrecision(precision)),
             .at = {whole.intensity(), toDouble(whole.flops) / whole.seconds},
             .seconds = whole.seconds,
             .binding = whole.binding,
             .isDesign = true});
        chart.points.back().text = tipText(chart.points.back());
    }
    chart.notes.push_back("squares: a whole pass of each design");
}

} // namespace flopsmith
