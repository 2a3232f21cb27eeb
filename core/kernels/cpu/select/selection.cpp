// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/select/selection.h"

#include "core/kernels/cpu/select/channels.h"
#include "core/kernels/cpu/select/threshold_search.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace flopsmith::cpu {
namespace {

// Between which bits the k-th largest of n values is expected.
struct Bracket
{
    std::int32_t low;
    std::int32_t high;
};

constexpr std::size_t kMaxSample = 256;
constexpr std::size_t kMinSampled = 512; // fewer values are searched without a sample

Bracket sampledBracket(const float* values, std::size_t n, int k)
{
    const std::size_t registers = (n >= 8 * kMaxSample ? kMaxSample : kMaxSample / 2) / kLanes;
    const std::size_t stride = n / registers;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): filled below
    alignas(64) std::array<float, kMaxSample> sample;
    for (std::size_t i = 0; i < registers; ++i) {
        store(sample.data() + i * kLanes, load(values + i * stride));
    }
    const std::size_t size = registers * kLanes;
    const auto count = static_cast<float>(size);
    const float share = static_cast<float>(k) / static_cast<float>(n);
    // Two and a half standard deviations of how many of the k largest are in the sample.
    const auto margin = static_cast<int>(2.5F * std::sqrt(count * share * (1.0F - share))) + 1;
    const auto expected = static_cast<int>(count * share);
    const int slack = margin / 3 + 1;
    const std::int32_t end = maxBits(sample.data(), size) + 1;
    Bracket bracket{0, kAboveAll};
    if (expected > margin) {
        bracket.high =
            reachedBy(sample.data(), size, expected - margin - slack, expected - margin, 0, end)
                .high;
    }
    if (expected + margin < static_cast<int>(size)) {
        bracket.low =
            reachedBy(sample.data(), size, expected + margin, expected + margin + slack, 0, end)
                .low;
    }
    return bracket;
}

// Packs the values inside the bracket into `scratch` and returns their number; `left` of them are
// among the largest k.
std::size_t pack(const float* values,
                 std::size_t n,
                 int k,
                 Bracket bracket,
                 std::int32_t* scratch,
                 int& left)
{
    IntLanes negative{};
    std::size_t packed = 0;
    const std::int32_t low = bracket.low;
    const std::int32_t high = bracket.high;
    forEachMagnitude(values, n, [&, low, high](IntLanes bits, std::size_t, std::size_t count) {
        const IntLanes above = bits >= high;
        const IntLanes inside = (bits >= low) & ~above;
        negative += above;
        if (count == kLanes) {
            packed += storePacked(scratch + packed, bits, inside);
            return;
        }
        for (std::size_t i = 0; i < count; ++i) {
            if (inside[i] != 0) {
                scratch[packed++] = bits[i];
            }
        }
    });
    left = k + sumOf(negative);
    return packed;
}

// A bracket around a magnitude that was found among `packed` values of the old one, wide enough for
// a similar next row: three standard deviations of the difference.
Bracket bracketAround(Bracket old, std::size_t packed, std::int32_t found, std::size_t n, int k)
{
    const auto low = std::bit_cast<float>(old.low);
    const auto high = std::bit_cast<float>(old.high);
    const auto middle = std::bit_cast<float>(found);
    const float share = static_cast<float>(k) / static_cast<float>(n);
    const float spread = 3.0F * std::sqrt(2.0F * static_cast<float>(k) * (1.0F - share)) + 2.0F;
    const float half = (high - low) * spread / static_cast<float>(packed);
    if (!(half > 0.0F) || !std::isfinite(half) || !std::isfinite(middle + half)) {
        return old;
    }
    return {std::bit_cast<std::int32_t>(std::max(middle - half, 0.0F)),
            std::bit_cast<std::int32_t>(middle + half)};
}

// Tries the bracket of the previous row, then the bracket of a sample, then searches all values.
Threshold thresholdOfMany(const float* values,
                          std::size_t n,
                          int k,
                          std::int32_t* scratch,
                          Bracket& expected)
{
    for (int attempt = 0; attempt < 2; ++attempt) {
        if (attempt == 1 || expected.low == expected.high) {
            expected = sampledBracket(values, n, k);
            attempt = 1;
        }
        int left = 0;
        const std::size_t packed = pack(values, n, k, expected, scratch, left);
        if (left >= 1 && left <= static_cast<int>(packed)) {
            const std::int32_t high = std::min(expected.high, maxBits(scratch, packed) + 1);
            const Threshold found = thresholdOf(
                scratch, packed, left, {expected.low, high, static_cast<int>(packed), 0});
            expected = bracketAround(expected, packed, found.minBits, n, k);
            return found;
        }
    }
    return thresholdOf(values, n, k, {0, maxBits(values, n) + 1, static_cast<int>(n), 0});
}

// Too few values to pack: searches all of them, starting from the bracket of the previous row.
Threshold thresholdOfSome(const float* values, std::size_t n, int k, Bracket& expected)
{
    const auto reachOf = [&](std::int32_t minBits) {
        return minBits == 0 ? static_cast<int>(n) : countFrom(values, n, minBits);
    };
    Between between{0, 0, static_cast<int>(n), 0};
    if (expected.low != expected.high) {
        const int reachLow = reachOf(expected.low);
        const int reachHigh = reachOf(expected.high);
        if (reachLow < k) {
            between.high = expected.low;
            between.reachHigh = reachLow;
        } else {
            const bool inside = reachHigh < k;
            between.low = inside ? expected.low : expected.high;
            between.reachLow = inside ? reachLow : reachHigh;
            between.high = inside ? expected.high : 0;
            between.reachHigh = inside ? reachHigh : 0;
        }
    }
    if (between.high == 0) {
        between.high = maxBits(values, n) + 1;
    }
    const Threshold found = thresholdOf(values, n, k, between);
    const auto packed = static_cast<std::size_t>(between.reachLow - between.reachHigh);
    expected = bracketAround({between.low, between.high}, packed, found.minBits, n, k);
    return found;
}

IntLanes magnitudesFrom(const float* values, int n, int first)
{
    const auto count = static_cast<std::size_t>(std::min(kLanes, n - first));
    return magnitudeBits(bitsOf(loadSome(values + first, count)));
}

// For few values: counts for each value how many precede it.
void maskByRank(const float* values, int n, int k, std::int32_t* mask)
{
    for (int first = 0; first < n; first += kLanes) {
        const IntLanes mine = magnitudesFrom(values, n, first);
        IntLanes index{};
        for (int i = 0; i < kLanes; ++i) {
            index[i] = first + i;
        }
        IntLanes before{}; // minus the number of values that precede it
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

Largest LargestSearch::operator()(const float* values, int n, int k, std::int32_t* scratch)
{
    const auto size = static_cast<std::size_t>(n);
    if (k >= n) {
        return {};
    }
    Bracket expected{m_low, m_high};
    const Threshold threshold = size >= kMinSampled
        ? thresholdOfMany(values, size, k, scratch, expected)
        : thresholdOfSome(values, size, k, expected);
    m_low = expected.low;
    m_high = expected.high;
    Largest chosen{threshold.minBits, 0};
    for (int ties = threshold.ties; ties > 0; ++chosen.tiesEnd) {
        const std::int32_t bits = std::bit_cast<std::int32_t>(values[chosen.tiesEnd]);
        ties -= static_cast<int>((bits & 0x7FFFFFFF) == threshold.minBits - 1);
    }
    return chosen;
}

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
    const Largest chosen = LargestSearch()(values, n, k, mask);
    forEachMagnitude(values, size, [&](IntLanes bits, std::size_t i, std::size_t count) {
        const IntLanes kept = maskOf(chosen, bits, i);
        std::memcpy(mask + i, &kept, count * sizeof(std::int32_t));
    });
}

} // namespace flopsmith::cpu
