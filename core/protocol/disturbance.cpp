// SPDX-License-Identifier: MIT
#include "core/protocol/disturbance.h"

#include "core/base/text.h"
#include "core/measure/interference.h"

#include <algorithm>

namespace flopsmith {

double lostShare(const Measured& measured)
{
    return std::max(measured.waitingShare, measured.stolenShare);
}

std::string disturbanceSentence(const Measured& measured)
{
    const double share = lostShare(measured);
    if (measured.settled || share <= kLargestInterference) {
        return "";
    }
    const bool inside = measured.waitingShare >= measured.stolenShare;
    return std::string(inside ? "Other programs" : "Other virtual machines")
        + " had the processor for " + percentText(share) + " of the time.";
}

} // namespace flopsmith
