// SPDX-License-Identifier: MIT
#pragma once

#include "core/lens/waterfall.h"
#include "core/present/base/ticks.h"
#include "core/study/compare/comparison.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace flopsmith {

/// The same bar for a compared design.
struct WaterfallGhost
{
    double before = 0.0; ///< of the design's own running total
    double after = 0.0;
    Count amount = 0; ///< 0 if the design lacks the step
    std::string valueText{}; ///< like the bar's
};

/// A compared design, for the legend.
struct WaterfallDesign
{
    const Component* mark = nullptr; ///< its colour
    std::string title{}; ///< its name
    std::string text{}; ///< where it ends: "15.0 TFLOPs"
};

/// A bar of a waterfall: the first and the last lens's totals stand on the axis, a step is placed
/// between the totals before and after it.
struct WaterfallBar
{
    enum class Kind { start, rise, fall, end };
    Kind kind = Kind::start;
    std::string title{}; ///< "matmul", "pairs behind the mask"
    double before = 0.0; ///< running total; 0 for start and end
    double after = 0.0;
    Count amount = 0; ///< signed; of start and end their figure
    std::string valueText{}; ///< "291.6 G", "−19.3 G", "+98.3 M"
    std::string exactText{}; ///< all digits and the unit, for tool tips
    std::string note{}; ///< what each of the two lenses charges
    std::vector<std::string> paths{}; ///< of the operations of a step, in the cost tree
    std::vector<WaterfallGhost> ghosts{}; ///< of each compared design
};

/// The content of a waterfall chart, without a view.
struct WaterfallChart
{
    std::string title{}; ///< "GPT-2 small: from matmul to exact"
    std::string unit{}; ///< of the lens at the end: "FLOPs"
    std::vector<WaterfallBar> bars{};
    std::vector<WaterfallDesign> others{}; ///< the compared designs
    std::string note{}; ///< what a reader must know; may be empty
    std::string emptyText{}; ///< instead of bars, if the lenses do not differ

    bool empty() const { return bars.empty(); }

    /// Whether the steps are so small compared with the totals that the axis does not begin at 0.
    /// Then the bars of the totals are drawn cut.
    bool isCut() const;

    /// The axis of the running totals, including those of the compared designs.
    TickAxis axis(int maxTicks) const;

    /// The same with at most `maxSteps` (at least 1) steps: the smallest become one, "5 smaller steps",
    /// before the end.
    WaterfallChart withSteps(std::size_t maxSteps) const;
};

/// The compared designs are drawn on the same axis as ghosts of the scenario's bars. A step that
/// only they have is an empty bar with ghosts.
WaterfallChart waterfallChart(const Scenario& scenario,
                              LensId from,
                              LensId to,
                              std::span<const ComparedDesign> others = {});

} // namespace flopsmith
