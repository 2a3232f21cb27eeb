// SPDX-License-Identifier: MIT
#pragma once

#include "core/protocol/measuring/measuring.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace flopsmith {

/// The parts to measure for one pass of a scenario: the forward pass, and in training the backward
/// pass after it, without recomputation and the update of the weights.
std::vector<MeasuredPart> partsOfPass(const Scenario& scenario);

/// A measured time of a whole pass: the sum over the parts that add to it, times their uses. Parts
/// are measured one after the other, so that their errors are independent and add as squares.
struct PassTime
{
    double seconds = 0.0;
    double madSeconds = 0.0; ///< √Σ (uses · MAD)²
    /// Standard error of `seconds`: √Σ (uses · standard error of the part's median)².
    double standardErrorSeconds = 0.0;
    Count flops = 0; ///< under the exact lens
    bool settled = true; ///< every part is

    double flopsPerSecond() const { return seconds > 0.0 ? toDouble(flops) / seconds : 0.0; }
};

/// The standard error of a measured median: its 95 % interval over 2 · 1.96, or with too few
/// samples for an interval the standard error for a normal distribution with this MAD, 1.2533 ·
/// 1.4826 · MAD / √samples.
double standardError(const Measured& measured);

/// Adds up a PassTime.
class PassTimeSum
{
public:
    void add(const Measured& measured, int uses);
    PassTime time() const;

private:
    PassTime m_sum;
    double m_squaredMads = 0.0;
    double m_squaredErrors = 0.0;
};

/// The Error names the first part without a time, and the reason.
Result<PassTime> passTime(std::span<const MeasuredPart> plan, std::span<const PartResult> parts);

/// The measured time of a pass on one device, if it was requested.
struct MeasuredPass
{
    std::string device{}; ///< "this CPU"
    std::optional<PassTime> time{}; ///< empty unless every part that adds to it has a time
};

} // namespace flopsmith
