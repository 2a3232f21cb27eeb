// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/machine_roofs.h"
#include "core/model/model_cost.h"
#include "core/model/operation.h"
#include "core/present/time/part_time.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace flopsmith {

/// The same part of a compared design.
struct RunTimeGhost
{
    double seconds = 0.0; ///< of all uses; 0 without a time
    std::string text{}; ///< "614 ms", "not measured", "no such part"
};

/// A compared design; see core/present/time/run_time_ghosts.h.
struct RunTimeDesign
{
    const Component* mark = nullptr; ///< its colour
    std::string title{}; ///< its name
    double totalSeconds = 0.0; ///< 0 unless each of its parts has a time
    std::string totalText{}; ///< "614 ms, 0.51×", "3 of 8 parts", "not measured"
};

/// One part's measured time against the least that the device's peaks allow. Seconds are of all
/// uses in one pass.
struct RunTimeRow
{
    const Component* component = nullptr;
    std::string path{}; ///< of the part: "blocks[6]/ffn/spectral"
    std::vector<std::string> elsewhere{}; ///< of equal parts, which the row includes
    std::string title{}; ///< "Spectral"
    int uses = 1;
    bool isStage = false; ///< explains the row above and does not add to the total
    PartState state = PartState::pending;
    double seconds = 0.0; ///< median, 0 without a time
    double madSeconds = 0.0;
    double lowestSeconds = 0.0; ///< over repeated measurements; the median without repeats
    double highestSeconds = 0.0;
    /// Never above the time: 0 without peaks, and if the time beats them.
    double lowerBoundSeconds = 0.0;
    bool beatsPeaks = false; ///< it took less time than the peaks allow, so they are too low
    Binding binding = Binding::unknown;
    std::string level{}; ///< the memory level whose bandwidth the bound uses: "L2"
    double flops = 0.0; ///< exact lens, all uses
    double bytes = 0.0; ///< all uses, each operand once, nothing fused
    double flopsPerSecond = 0.0; ///< achieved; 0 while there is no time
    std::optional<double> relativeError{};

    std::string shortTitleText{}; ///< "Attention ×12", for narrow places
    std::string titleText{}; ///< "Attention ×12"; where another row is called so, with its block
    std::string timeText{}; ///< "614 ms", "≈ 614 ms" if it has not settled, or the state: "not
        ///< measured", "waiting", "measuring …", "no answer for 7 s", "failed"; where some times
        ///< are stored and others are not, "614 ms stored"
    std::string rangeText{}; ///< "4.10 ms to 6.50 ms" if repeated measurements differ, or empty
    std::string spreadText{}; ///< "± 1.2 %" (MAD over median), or empty
    std::string rateText{}; ///< "61.3 GFLOP/s", or empty
    std::string boundText{}; ///< "at least 490 ms (compute)", "at least 49 µs (L2)", or empty;
        ///< of a total that beats it "peaks of a busier machine"
    std::string
        storedText{}; ///< "2026-11-18 14:02 UTC" if the time comes out of the store, or empty
    std::string errorText{}; ///< "error 3.1e-07", or empty
    std::string sentence{}; ///< why it failed, or that it did not settle
    std::vector<RunTimeGhost> ghosts{}; ///< parallel to the compared designs; empty for a stage
};

/// The rows of a pass in the order of the model, and their total.
struct RunTimeTable
{
    std::vector<RunTimeRow> rows{};
    RunTimeRow total{}; ///< sum over the rows that are no stage
    std::vector<RunTimeDesign> others{}; ///< compared designs
    int measured = 0; ///< rows with a time or a failure
    PartsMeasured parts{}; ///< the parts that add to the total
    NumberFormat format = NumberFormat::fp32; ///< in which products were measured
    bool peaksKnown = false;
    bool allStored = false; ///< every time comes from the store, so rows need not say it
    std::string note{}; ///< how to read bars and outlines, line by line, least important first
    /// The same in a few words, most important first: "outline: lower bound; ≈: not settled".
    std::string key{};
    std::string emptyText{}; ///< shown until something is measured

    bool complete() const { return measured == static_cast<int>(rows.size()); }

    /// Every part that adds to the total has a time: the total is the model's.
    bool isTotalKnown() const;

    /// "614 ms in all, in fp32", "2 of 6 parts measured, in fp32": the state of the whole pass.
    std::string headline() const;

    /// A significant part took less time than its lower bound: the peaks are too low.
    bool beatsPeaks() const { return total.beatsPeaks; }

    /// A time whose median had not settled.
    bool hasUnsettled() const;
};

/// The state of a part without a time: "not measured", "waiting", "measuring …", "failed".
std::string partStateText(const PartTime& time);

/// The first part that failed and why, and how many more: "failed: Dense ×12 and 1 more: There is
/// no kernel for Dense yet: it is counted, but cannot be run". Empty if none did. `times` is
/// parallel to `parts`; missing entries count as pending.
std::string failedPartsText(std::span<const MeasuredPart> parts, std::span<const PartTime> times);

/// The bound after comparison with a measured time (0: none). A time below the bound refutes it,
/// and the result is empty. Within the difference of two measurements, the bound becomes the time.
RoofBound standingBound(const RoofBound& bound, double measuredSeconds);

/// The lower bound for all uses of a part by the device's roofs; 0 if they are unknown.
double lowerBoundSeconds(const MeasuredPart& part,
                         const RoofConditions& as,
                         const MachineRoofs& roofs);

/// `times` is parallel to `parts`; missing entries count as pending. `as` says how they were
/// measured. Lower bound = max(FLOPs / peak FLOP/s, bytes / bandwidth) per use (roofline: Williams,
/// Waterman, Patterson 2009), with the bandwidth of the memory level that holds these bytes; see
/// lowerBound() in core/budget/machine_roofs.h.
RunTimeTable runTimeTable(std::span<const MeasuredPart> parts,
                          std::span<const PartTime> times,
                          const RoofConditions& as,
                          const std::optional<MachineRoofs>& roofs);

} // namespace flopsmith
