// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/machine_roofs.h"
#include "core/model/operation.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

// Finds parts for which FLOPs mislead: their share of the measured time differs from their share of
// the FLOPs. The reason follows from the part's own numbers and the machine's roofs.
namespace flopsmith {

/// Why a part's share of the time differs from its share of the FLOPs.
enum class ShareReason {
    asCounted, ///< the shares are equal
    fast, ///< a smaller share of time than of FLOPs: its rate is above the whole pass's
    launch, ///< its steps are shorter than a launch
    bandwidth, ///< limited by the bandwidth of the memory level that holds its operands
    smallShapes, ///< its products have too few rows to keep the units busy
    products, ///< its products stay below the peak although they have enough rows
    transforms, ///< most of its FLOPs are inside Fourier transforms
    elementwise, ///< most of its FLOPs are outside products
    moves, ///< the lens counts none of its operations: it looks up, compares or moves
    unmeasured, ///< no measured time
};

template <>
std::vector<std::string_view> enumNames<ShareReason>();

/// "small shapes", "bandwidth"
std::string reasonText(ShareReason reason);

/// "+12.3 %", with the sign that says which share is larger.
std::string differenceText(double difference);

/// All thresholds between the reasons.
struct ShareThresholds
{
    /// Smaller differences count as none, because measurements cannot resolve them.
    double sameShare = 0.01;
    /// A cause explains a part if it accounts for at least this share of the part's time (launches,
    /// bytes) or FLOPs (products, transforms).
    double dominant = 0.5;
    /// Products with fewer rows do too little work per weight read.
    double fewRows = 64.0;
};

inline constexpr ShareThresholds kShareThresholds{};

/// The thresholds and how the reasons follow from them, in a few sentences, for notes below tables.
std::string shareThresholdsText();

/// Counts, measured time and their difference for one part of a pass.
struct PartShare
{
    const Component* component = nullptr;
    std::string path{};
    std::vector<std::string> elsewhere{}; ///< paths of further equal operations
    std::string title{};
    int uses = 1;
    double flops = 0.0; ///< exact lens; this and the next two are of all uses
    double bytes = 0.0; ///< each operand counted once, nothing fused
    double seconds = 0.0; ///< 0 without a measurement
    double lowerBoundSeconds = 0.0; ///< of all uses; see lowerBound() of machine_roofs.h
    double flopShare = 0.0; ///< of the parts that have a time
    double timeShare = 0.0;
    ShareReason reason = ShareReason::unmeasured;
    std::string sentence{}; ///< the reason with its numbers: "moving 9.4 MB takes …"

    /// Time share − FLOP share: positive if FLOPs underestimate the time.
    double difference() const { return timeShare - flopShare; }
};

/// The parts that add to the total, ordered by the difference of their shares, largest first; parts
/// without a time come last. `seconds` is parallel to `parts`, for one use each, 0 without a time.
/// `as` says how they were measured; bytes and peaks are for its format.
std::vector<PartShare> partShares(std::span<const MeasuredPart> parts,
                                  std::span<const double> seconds,
                                  const MachineRoofs& roofs,
                                  const RoofConditions& as = {});

} // namespace flopsmith
