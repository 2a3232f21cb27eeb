// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/hardware.h"
#include "core/budget/machine_roofs.h"
#include "core/budget/roofline.h"
#include "core/present/base/ticks.h"
#include "core/present/time/share.h"
#include "core/study/compare/comparison.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace flopsmith {

/// A place on the chart: FLOPs per byte, FLOP per second.
struct RooflinePlace
{
    double intensity = 0.0;
    double flopsPerSecond = 0.0;

    bool operator==(const RooflinePlace&) const = default;
};

/// An operation, or a measured part. Computed points lie on the roof, as high as the peaks allow;
/// measured points lie below it.
struct RooflinePoint
{
    Origin origin = Origin::computed;
    const Component* component = nullptr;
    std::string title{}; ///< "Attention: scores", "Attention ×12"
    std::vector<std::string> paths{}; ///< of the operations in the cost tree, or of the part
    RooflinePlace at{};
    double seconds = 0.0; ///< of all uses, at least or measured
    /// Of the lower bound of the whole pass or of its measured time: the size of its dot. None of a
    /// measured point while other parts have no time.
    std::optional<double> share{};
    Binding binding = Binding::unknown;
    bool labelled = false; ///< the longest points of the ranked kind are labelled with their title
    bool isDesign = false; ///< a whole pass of a design, under its name
    std::string text{}; ///< "118 FLOPs per byte, at least 1.43 ms, bound by memory", for tool tips
};

/// A further measured roof of the machine, beside the pair that computed points lie on. Flat for
/// products, a slope for a level of the memory.
struct RooflineCeiling
{
    enum class Kind { product, memory };
    Kind kind = Kind::memory;
    double perSecond = 0.0; ///< FLOP/s, or B/s
    std::string text{}; ///< "L2 212 GB/s", "bf16 1.9 TFLOP/s"

    bool operator==(const RooflineCeiling&) const = default;
};

/// The content of the roofline chart, on two logarithmic axes.
struct RooflineChart
{
    std::string title{}; ///< "NVIDIA A100 SXM 80 GB, dense bf16"
    Peaks peaks{}; ///< of the pair that computed points lie on
    Origin roofOrigin = Origin::computed; ///< of that pair: a data sheet's, or this machine's own
    std::vector<RooflineCeiling> ceilings{}; ///< this machine's other roofs, all of them measured
    std::string peakText{}; ///< "bf16 312 TFLOP/s": along the flat roof
    std::string bandwidthText{}; ///< "2.04 TB/s": along the slope
    std::string ridgeText{}; ///< "153 FLOPs per byte": where they meet
    std::string boundText{}; ///< "at least 14.8 ms in bf16, mostly bound by memory: a lower bound"
    std::string xTitle{"FLOPs per byte"};
    std::string yTitle{"FLOP/s"};
    std::vector<RooflinePoint> points{}; ///< longest first, so that small dots lie on top
    /// The points that are ranked by their share: measured ones if the whole pass was measured on
    /// the device of the roofs. Shares of a time and of a lower bound are never mixed.
    Origin ranked = Origin::computed;
    /// Which roofs were measured, where and when, and which points cannot be shown.
    std::vector<std::string> notes{};
    std::string emptyText{};

    bool empty() const { return points.empty(); }

    TickAxis xAxis(int maxTicks) const;
    TickAxis yAxis(int maxTicks) const;

    /// The corners of the roof inside the x axis, from left to right: slope, ridge, flat.
    std::vector<RooflinePlace> roof(const TickAxis& xAxis) const;

    /// Both ends of a measured ceiling inside the x axis. A slope ends at the highest measured flat
    /// roof, a flat roof begins at the steepest measured slope. Empty if no part of it is inside.
    std::vector<RooflinePlace> line(const RooflineCeiling& ceiling, const TickAxis& xAxis) const;
};

/// Equal operations of all blocks become one point. The tree must have been computed with the
/// lens's pairs rule. With the roofs of a machine, those outside the pair of `on` are drawn as
/// ceilings. With times parallel to `parts`, measured on that machine (or on `on`), measured points
/// are added.
RooflineChart rooflineChart(const Scenario& scenario,
                            const CostTree<Count>& tree,
                            LensId lens,
                            const HardwarePeak& on,
                            std::span<const MeasuredPart> parts = {},
                            std::span<const PartTime> times = {},
                            const MachineRoofs* machine = nullptr);

/// Adds a point for a whole pass of each design; the first design is the chart's. Each is placed
/// under the device's peak for its own precision, which may be above the chart's roof. Missing
/// trees are computed under the rule of pairs.
void addDesigns(RooflineChart& chart,
                const Hardware& on,
                std::span<const ComparedDesign> designs,
                LensId lens,
                PairsRule pairs);

} // namespace flopsmith
