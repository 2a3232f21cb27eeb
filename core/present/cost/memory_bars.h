// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/hardware.h"
#include "core/budget/memory.h"
#include "core/present/base/ticks.h"
#include "core/study/compare/comparison.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace flopsmith {

/// A component's piece of a bar.
struct MemorySegment
{
    MemoryKind kind = MemoryKind::weights;
    const Component* component = nullptr;
    Count bytes = 0;
    double start = 0.0; ///< bytes before it in its bar
    double end = 0.0;
    std::string title{}; ///< "Attention, gradients"
    std::string text{}; ///< "28.3 MB"
    std::string exactText{}; ///< "28 311 552 bytes, 5.7 % of all", for tool tips
};

/// The memory of a compared design, as a whole.
struct MemoryGhost
{
    const Component* mark = nullptr; ///< the design's colour
    std::string title{}; ///< its name
    Count bytes = 0;
    std::string text{}; ///< "995 MB"
};

/// One bar: everything, or one kind of memory, stacked by component in the order of the model.
struct MemoryBar
{
    std::optional<MemoryKind> kind{}; ///< empty: all kinds
    std::string title{}; ///< "optimizer state"
    Count bytes = 0;
    std::string text{}; ///< "995 MB"
    std::string shareText{}; ///< "48.6 %", of everything
    std::vector<MemorySegment> segments{}; ///< end to end from 0; they sum to `bytes`
    std::vector<MemoryGhost> ghosts{}; ///< of each compared design
};

/// Components that occur, for the legend, in the order of the model.
struct MemoryLegendEntry
{
    const Component* component = nullptr;
    std::string title{};
    Count bytes = 0; ///< of all kinds together
    std::string text{};
};

/// How much a device holds: a line across all bars.
struct MemoryLimit
{
    double bytes = 0.0;
    std::string text{}; ///< "NVIDIA A100 SXM 80 GB: 80.0 GB"
    bool exceeded = false; ///< by everything together
};

/// The content of the memory chart: a bar of everything, then one per kind.
struct MemoryChart
{
    std::string title{}; ///< "GPT-2 small: train, batch 1, sequence 1024"
    std::string heading{}; ///< "32.1 GB in 32 bit": above the bars
    std::vector<MemoryBar> bars{};
    std::vector<MemoryLegendEntry> legend{};
    std::vector<MemoryLegendEntry> others{}; ///< the compared designs
    std::optional<MemoryLimit> limit{};
    std::string note{}; ///< what the figures include and exclude

    /// From 0 to the longest bar, and to the limit where that is not far away.
    TickAxis axis(int maxTicks) const;
};

/// `hardware`: the device that all of it should fit into, or null. The others are drawn on the same
/// axis as ghosts of the scenario's bars.
MemoryChart memoryChart(const Scenario& scenario,
                        const Hardware* hardware = nullptr,
                        std::span<const ComparedDesign> others = {});

} // namespace flopsmith
