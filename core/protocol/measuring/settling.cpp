// SPDX-License-Identifier: MIT
#include "core/protocol/measuring/settling.h"

#include "core/base/text.h"
#include "core/measure/interference.h"
#include "core/measure/samples.h"

#include <algorithm>
#include <utility>

namespace flopsmith {
namespace {

std::string disturbanceSentence(const Measured& measured)
{
    const double share = lostShare(measured);
    if (share <= kLargestInterference) {
        return "";
    }
    const bool inside = measured.waitingShare >= measured.stolenShare;
    return std::string(inside ? "Other programs" : "Other virtual machines")
        + " had the processor for " + percentText(share) + " of the time.";
}

std::string repeatsSentence(const Repeats& repeats)
{
    return std::to_string(repeats.times) + " measurements of one run gave "
        + durationText(repeats.lowestSeconds) + " to " + durationText(repeats.highestSeconds) + ".";
}

} // namespace

double lostShare(const Measured& measured)
{
    return std::max(measured.waitingShare, measured.stolenShare);
}

double Repeats::spread() const
{
    const double farthest = std::max(highestSeconds - middleSeconds, middleSeconds - lowestSeconds);
    return middleSeconds > 0.0 ? farthest / middleSeconds : 0.0;
}

std::optional<Repeats> repeatsOf(const Measured& measured)
{
    const std::vector<double>& medians = measured.medians;
    if (medians.size() < 2) {
        return std::nullopt;
    }
    const auto [lowest, highest] = std::minmax_element(medians.begin(), medians.end());
    return Repeats{medians.size(), *lowest, medianOf(medians), *highest};
}

Measured repeated(const Measured& earlier, Measured later)
{
    std::vector<double> medians = earlier.medians;
    if (medians.empty() && earlier.settled) {
        medians.push_back(earlier.medianSeconds); // the first one
    }
    if (later.settled) {
        medians.push_back(later.medianSeconds);
    }
    const std::size_t count = std::min(medians.size(), kMaxRepeats);
    later.medians.assign(medians.end() - static_cast<std::ptrdiff_t>(count), medians.end());
    return later;
}

bool isSettled(const Measured& measured)
{
    const std::optional<Repeats> repeats = repeatsOf(measured);
    return measured.settled && (!repeats || repeats->spread() <= kLargestSpread);
}

std::string unsettledSentence(const Measured& measured)
{
    if (isSettled(measured)) {
        return "";
    }
    return measured.settled ? repeatsSentence(*repeatsOf(measured)) : disturbanceSentence(measured);
}

} // namespace flopsmith
