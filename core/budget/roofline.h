// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/lens.h"
#include "core/model/model_cost.h"

#include <vector>

namespace flopsmith {

/// The two roofs of a device: peak compute and memory bandwidth.
struct Peaks
{
    double flopsPerSecond = 0.0; ///< dense matrix products, 2 FLOPs per multiply-add
    double bytesPerSecond = 0.0; ///< of its memory, read and written bytes

    bool known() const { return flopsPerSecond > 0.0 && bytesPerSecond > 0.0; }

    /// FLOPs per byte at which the roofs meet; 0 while a peak is unknown.
    double ridge() const { return known() ? flopsPerSecond / bytesPerSecond : 0.0; }

    bool operator==(const Peaks&) const = default;
};

/// Which side of the roofline a lower bound comes from.
enum class Binding { unknown, compute, memory };

template <>
std::vector<std::string_view> enumNames<Binding>();

/// The least time that the peaks allow: max(FLOPs / peak, bytes / bandwidth) (Williams, Waterman
/// and Patterson 2009).
struct LowerBound
{
    double seconds = 0.0;
    Binding binding = Binding::unknown;

    bool operator==(const LowerBound&) const = default;
};

LowerBound lowerBound(double flops, double bytes, const Peaks& peaks);

/// One node of a cost tree against the roofs. Counts and seconds are of one use. A group's time is
/// the sum of its operations', and it is bound by the side that most of this time comes from.
struct RooflinePart
{
    Count flops = 0; ///< under the lens
    Count bytes = 0; ///< each operand counted once, nothing fused, no cache
    Count uses = 1; ///< in the whole model
    double seconds = 0.0;
    double computeBoundSeconds = 0.0; ///< the part of it in operations that are limited by compute
    Binding binding = Binding::unknown;

    /// FLOPs per byte; 0 if no bytes are moved.
    double intensity() const { return bytes > 0 ? toDouble(flops) / toDouble(bytes) : 0.0; }
};

/// A whole model against the roofs.
struct Roofline
{
    Peaks peaks{};
    LensId lens = LensId::exact;
    std::vector<RooflinePart> parts{}; ///< parallel to the tree's nodes; the first is the whole
    Count matmulFlops = 0; ///< 2·mac of the whole, as MFU counts

    const RooflinePart& whole() const { return parts.front(); }

    /// matmul FLOPs / (time · peak): MFU if the lower bound were reached.
    double mfuAtLowerBound() const;
};

/// The lens that prices the parts: the requested one, or `exact` for a formula, which has no parts.
LensId lensOfParts(LensId asked);

/// The roofline of a cost tree under lensOfParts(). The whole model's time is the sum of its
/// operations' lower bounds: itself a lower bound for any program that runs one operation after
/// another and keeps nothing in caches between them; fused operations can be faster.
Roofline roofline(const CostTree<Count>& tree,
                  const Precision& precision,
                  const Peaks& peaks,
                  LensId asked);

/// The bound of the whole alone, as roofline() has it.
LowerBound lowerBoundOf(const CostTree<Count>& tree,
                        const Precision& precision,
                        const Peaks& peaks,
                        LensId asked);

/// Model FLOPs utilisation: FLOPs / (seconds · devices · peak).
double utilisation(double flops, double seconds, double devices, double peakFlopsPerSecond);

} // namespace flopsmith
