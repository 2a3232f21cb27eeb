// SPDX-License-Identifier: MIT
#pragma once

#include "core/parameter/tie.h"
#include "core/study/sweep/crossover.h"
#include "core/study/sweep/pass_time.h"
#include "core/study/variation/axis.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace flopsmith {

/// The measurements for several curves over one axis: every operation once, even if points share
/// it, smallest x first.
struct CurvePlan
{
    /// A point: the parts of its pass that add to its time.
    struct Point
    {
        std::size_t curve = 0;
        double x = 0.0;
        struct Use
        {
            std::size_t part = 0; ///< of the plan
            int times = 1;
        };
        std::vector<Use> uses{};
    };

    std::vector<MeasuredPart> parts{};
    std::vector<Point> points{}; ///< ascending in x
};

/// A curve is measured at this many values at most.
inline constexpr int kMaxCurveValues = 7;

/// The axis with at most `maxValues` of its values, both ends among them, evenly among the rest.
Axis thinned(const Axis& axis, int maxValues = kMaxCurveValues);

/// Skips values that are illegal for a curve's scenario. A scenario without the parameter is
/// constant along the axis: its operations are measured once, and other curves can cross it. Every
/// curve follows the ties whose parameters it has, as after setting the axis by hand.
CurvePlan curvePlan(std::span<const Scenario> curves,
                    const Axis& axis,
                    const std::vector<Tie>& ties = {});

/// A measured point of a curve.
struct CurveTime
{
    double x = 0.0;
    PassTime time{};
};

/// Points whose parts are all measured, by curve, ascending in x. `measured` returns the result of
/// a part of the plan, or null.
std::vector<std::vector<CurveTime>> curveTimes(
    const CurvePlan& plan,
    std::size_t curves,
    const std::function<const Measured*(std::size_t part)>& measured);

/// The x from which on the first curve takes less time than the second. Errors are drawn per part,
/// not per sum, so that errors of parts that both curves share cancel.
std::optional<Crossover> crossover(const CurvePlan& plan,
                                   std::size_t first,
                                   std::size_t second,
                                   const std::function<const Measured*(std::size_t part)>& measured,
                                   std::uint64_t seed = 1);

} // namespace flopsmith
