// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/selection.h"

#include "core/kernels/cpu/lanes.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

template <class Fold>
void forEachMagnitude(const float* values, std::size_t n, const Fold& fold)
{
    const auto sizeBits = [](Lanes v) { return bitsOf(v) & 0x7FFFFFFF; };
    along(
        n,
        [&](std::size_t i) { fold(sizeBits(load(values + i)), i, kLanes); },
        [&](std::size_t i, std::size_t rest) {
            fold(sizeBits(loadSome(values + i, rest)), i, rest);
        });
}

std::int32_t largestBits(const float* values, std::size_t n)
{
    IntLanes most{};
    forEachMagnitude(values, n, [&](IntLanes bits, std::size_t, std::size_t) {
        most = most < bits ? bits : most;
    });
    std::int32_t largest = 0;
    for (int i = 0; i < kLanes; ++i) {
        largest = std::max(largest, most[i]);
    }
    return largest;
}

// How many magnitudes have bits ≥ least > 0; the zeros that pad the last register never do.
int countFrom(const float* values, std::size_t n, std::int32_t least)
{
    IntLanes negative{};
    forEachMagnitude(values, n, [&](IntLanes bits, std::size_t, std::size_t) {
        negative += bits >= least; // true is −1
    });
    int count = 0;
    for (int i = 0; i < kLanes; ++i) {
        count -= negative[i];
    }
    return count;
}

// Everything with bits ≥ `least` is kept; of those with bits = least − 1, the first `ties`.
struct Threshold
{
    std::int32_t least;
    int ties;
};

Threshold thresholdOf(const float* values, int n, int k)
{
    const auto size = static_cast<std::size_t>(n);
    std::int32_t low = 0; // at least k values reach it …
    std::int32_t high = largestBits(values, size) + 1; // … and fewer than k reach this
    int reachHigh = 0;
    while (high - low > 1) {
        const std::int32_t middle = low + (high - low) / 2;
        const int reach = countFrom(values, size, middle);
        if (reach == k) {
            return {middle, 0};
        }
        if (reach > k) {
            low = middle;
        } else {
            high = middle;
            reachHigh = reach;
        }
    }
    return {high, k - reachHigh};
}

// Few values: counting for each how many stand before it needs no search.
constexpr int kFewValues = 2 * kLanes;

IntLanes sizeBits(const float* values, int n, int first)
{
    const auto count = static_cast<std::size_t>(std::min(kLanes, n - first));
    return bitsOf(loadSome(values + first, count)) & 0x7FFFFFFF;
}

void maskByRank(const float* values, int n, int k, std::int32_t* mask)
{
    for (int first = 0; first < n; first += kLanes) {
        const IntLanes mine = sizeBits(values, n, first);
        IntLanes index{};
        for (int i = 0; i < kLanes; ++i) {
            index[i] = first + i;
        }
        IntLanes before{}; // minus the number of values that come first
        for (int i = 0; i < n; ++i) {
            const std::int32_t other = std::bit_cast<std::int32_t>(values[i]) & 0x7FFFFFFF;
            before += (mine < other) | ((mine == other) & (index > i));
        }
        const IntLanes kept = before > -k;
        const auto count = static_cast<std::size_t>(std::min(kLanes, n - first));
        std::memcpy(mask + first, &kept, count * sizeof(std::int32_t));
    }
}

} // namespace

void maskLargest(const float* values, int n, int k, std::int32_t* mask)
{
    const auto size = static_cast<std::size_t>(n);
    if (k >= n) {
        std::fill_n(mask, size, -1);
        return;
    }
    if (n <= kFewValues) {
        maskByRank(values, n, k, mask);
        return;
    }
    const Threshold threshold = thresholdOf(values, n, k);
    forEachMagnitude(values, size, [&](IntLanes bits, std::size_t i, std::size_t count) {
        const IntLanes kept = bits >= threshold.least;
        std::memcpy(mask + i, &kept, count * sizeof(std::int32_t));
    });
    int ties = threshold.ties;
    for (std::size_t i = 0; ties > 0 && i < size; ++i) {
        if ((std::bit_cast<std::int32_t>(values[i]) & 0x7FFFFFFF) == threshold.least - 1) {
            mask[i] = -1;
            --ties;
        }
    }
}

} // namespace flopsmith::cpu
