// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace flopsmith::torch {

/// Neighbouring values that come `times` times as a whole: [first, first + length), then the same.
struct Repeat
{
    std::size_t first = 0;
    std::size_t length = 1;
    std::size_t times = 1;

    bool operator==(const Repeat&) const = default;
};

/// How often the `length` values from `first` on repeat in direct succession.
template <class Value>
std::size_t timesOf(const std::vector<Value>& values, std::size_t first, std::size_t length)
{
    std::size_t times = 1;
    const auto period = values.begin() + static_cast<std::ptrdiff_t>(first);
    const auto step = static_cast<std::ptrdiff_t>(length);
    while (
        first + (times + 1) * length <= values.size()
        && std::equal(period, period + step, period + static_cast<std::ptrdiff_t>(times) * step)) {
        ++times;
    }
    return times;
}

/// The values as repeats: each covers as many of the remaining values as possible, with the shorter
/// period among equal ones. Periods are at most 32 long.
template <class Value>
std::vector<Repeat> repeatsIn(const std::vector<Value>& values)
{
    constexpr std::size_t kLongestPeriod = 32;
    std::vector<Repeat> repeats;
    for (std::size_t first = 0; first < values.size();) {
        Repeat best{.first = first};
        for (std::size_t length = 1;
             length <= std::min(kLongestPeriod, (values.size() - first) / 2);
             ++length) {
            const std::size_t times = timesOf(values, first, length);
            if (times > 1 && times * length > best.times * best.length) {
                best = {first, length, times};
            }
        }
        first += best.length * best.times;
        repeats.push_back(best);
    }
    return repeats;
}

} // namespace flopsmith::torch
