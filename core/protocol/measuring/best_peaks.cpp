// SPDX-License-Identifier: MIT
#include "core/protocol/measuring/best_peaks.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace flopsmith {
namespace {

// Adds each of `earlier` to `all`, or its rate to the one that is alike.
template <class Peak, class IsAlike>
void take(std::vector<Peak>& all,
          const std::vector<Peak>& earlier,
          double Peak::*rate,
          const IsAlike& isAlike)
{
    for (const Peak& old : earlier) {
        const auto same = std::find_if(
            all.begin(), all.end(), [&](const Peak& peak) { return isAlike(peak, old); });
        if (same == all.end()) {
            all.push_back(old);
        } else {
            (*same).*rate = std::max((*same).*rate, old.*rate);
        }
    }
}

} // namespace

PeaksMeasured bestOf(const PeaksMeasured& earlier, const PeaksMeasured& later)
{
    PeaksMeasured best = later;
    best.flopsPerSecond = std::max(earlier.flopsPerSecond, later.flopsPerSecond);
    best.bytesPerSecond = std::max(earlier.bytesPerSecond, later.bytesPerSecond);
    best.lostShare = std::min(earlier.lostShare, later.lostShare);
    take(best.products,
         earlier.products,
         &ProductPeak::flopsPerSecond,
         [](const ProductPeak& a, const ProductPeak& b) { return a.precision == b.precision; });
    take(best.caches,
         earlier.caches,
         &CachePeak::bytesPerSecond,
         [](const CachePeak& a, const CachePeak& b) {
             return a.name == b.name && a.bytes == b.bytes && a.threads == b.threads;
         });
    if (earlier.launchSeconds > 0.0) {
        best.launchSeconds = later.launchSeconds > 0.0
            ? std::min(earlier.launchSeconds, later.launchSeconds)
            : earlier.launchSeconds;
    }
    return best;
}

} // namespace flopsmith
