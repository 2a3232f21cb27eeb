// SPDX-License-Identifier: MIT
#pragma once

#include "core/lens/waterfall.h"
#include "core/present/ticks.h"

#include <cstddef>
#include <string>
#include <vector>

namespace flopsmith {

/// A bar of a waterfall: what the first and the last lens say stands on the axis, a step hangs
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
};

/// What a waterfall chart shows, without a view.
struct WaterfallChart
{
    std::string title{}; ///< "GPT-2 small: from matmul to exact"
    std::string unit{}; ///< of the lens at the end: "FLOPs"
    std::vector<WaterfallBar> bars{};
    std::string note{}; ///< what one must know to read it; may be empty
    std::string emptyText{}; ///< instead of bars, if the lenses do not differ

    bool empty() const { return bars.empty(); }

    /// Whether the steps are so small beside the totals that the axis does not begin at 0. Bars of
    /// the totals are cut then, and must look so.
    bool isCut() const;

    /// The axis of the running totals.
    TickAxis axis(int mostTicks) const;

    /// The same with at most `most` (at least 1) steps: the smallest become one, "5 smaller steps",
    /// before the end.
    WaterfallChart withSteps(std::size_t most) const;
};

WaterfallChart waterfallChart(const Scenario& scenario, LensId from, LensId to);

} // namespace flopsmith
