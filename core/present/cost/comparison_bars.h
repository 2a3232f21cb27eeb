// SPDX-License-Identifier: MIT
#pragma once

#include "core/present/base/ticks.h"
#include "core/study/compare/comparison.h"

#include <string>
#include <vector>

namespace flopsmith {

/// A component's piece of a bar.
struct ComparisonSegment
{
    const Component* component = nullptr;
    Count count = 0;
    double start = 0.0; ///< operations before it in its bar
    double end = 0.0;
    std::string text{}; ///< "80.9 GFLOPs"
    std::string shareText{}; ///< "37.0 %", of its bar
};

/// The operations of one design.
struct ComparisonBar
{
    std::string title{}; ///< the design's name
    Count count = 0;
    std::string text{}; ///< "291.6 GFLOPs"
    std::string ratioText{}; ///< "51.5×"; empty for the first design
    std::vector<ComparisonSegment> segments{}; ///< end to end from 0; they sum to `count`
};

/// A component that occurs in any bar.
struct ComparisonLegendEntry
{
    const Component* component = nullptr;
    Count count = 0; ///< of all bars together
};

/// Designs on one scale, stacked by component. A lens that is a formula has one piece per bar.
struct ComparisonChart
{
    std::string title{}; ///< "gpt2 beside llama-3-8b: prefill, batch 1, sequence 1024"
    std::string key{}; ///< of the operations in files: "flops" or "macs"
    std::string unit{}; ///< "FLOPs" or "MACs"
    std::vector<ComparisonBar> bars{}; ///< by design
    std::vector<ComparisonLegendEntry> legend{}; ///< in the order of the pieces
    std::string note{}; ///< the base of the ratios, and what was counted

    /// From 0 to the longest bar.
    TickAxis axis(int maxTicks) const;
};

ComparisonChart comparisonChart(const Comparison& comparison);

} // namespace flopsmith
