// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/machine_roofs.h"
#include "core/model/operation.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

// Where FLOPs mislead: parts of a model whose share of the measured time is not their share of the
// FLOPs, and why. The reason follows from the part's own numbers and the machine's roofs alone.
namespace flopsmith {

/// Why a part's share of the time differs from its share of the FLOPs.
enum class ShareReason {
    asCounted, ///< the shares agree
    fast, ///< less time than FLOPs: its rate is above that of the whole
    launch, ///< its steps are over before the device is awake
    bandwidth, ///< it moves bytes as fast as the level of the memory that holds them does
    smallShapes, ///< its products have too few rows to keep the units busy
    products, ///< its products stay below the peak although they have rows enough
    transforms, ///< most of its FLOPs are inside Fourier transforms
    elementwise, ///< most of its FLOPs are outside products
    moves, ///< the lens counts nothing of it: it looks up, compares or moves
    unmeasured, ///< there is no time
};

template <>
std::vector<std::string_view> enumNames<ShareReason>();

/// "small shapes", "bandwidth"
std::string reasonText(ShareReason reason);

/// "+12.3 %", with the sign that says which share is larger.
std::string differenceText(double difference);

/// Where one reason ends and the next begins; all of them are here.
struct ShareThresholds
{
    /// Shares that differ by less are the same: no measuring settles them.
    double sameShare = 0.01;
    /// A cause explains a part when it takes at least this share of its time (launches, bytes) or of
    /// its FLOPs (products, transforms).
    double dominant = 0.5;
    /// Products of fewer rows read their weights for too little work.
    double fewRows = 64.0;
};

inline constexpr ShareThresholds kShareThresholds{};

/// The thresholds and how the reasons follow from them, in a few sentences, for notes below tables.
std::string shareThresholdsText();

/// One part of a pass: what was counted, what was measured, and what lies between.
struct PartShare
{
    const Component* component = nullptr;
    std::string path{};
    std::string title{};
    int uses = 1;
    double flops = 0.0; ///< exact lens; this and the next two are of all uses
    double bytes = 0.0; ///< each operand once, nothing fused
    double seconds = 0.0; ///< 0 while there is none
    double lowerBoundSeconds = 0.0; ///< of all uses; see lowerBound() of machine_roofs.h
    double flopShare = 0.0; ///< of the parts that have a time
    double timeShare = 0.0;
    ShareReason reason = ShareReason::unmeasured;
    std::string sentence{}; ///< the reason with its numbers: "moving 9.4 MiB takes …"

    /// Time share − FLOP share: above 0 where FLOPs promise too much.
    double difference() const { return timeShare - flopShare; }
};

/// The parts that add to the total, those first whose shares differ most; parts without a time last.
/// `seconds` is parallel to `parts`, of one use each, 0 where there is no time. `as` says how they
/// were measured; bytes and peaks are those of its format.
std::vector<PartShare> partShares(std::span<const MeasuredPart> parts,
                                  std::span<const double> seconds,
                                  const MachineRoofs& roofs,
                                  const RoofConditions& as = {});

} // namespace flopsmith
