// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace flopsmith {

/// "lm_head.weight holds 2 values that are no numbers (NaN or infinity), the first at [3, 5]";
/// nothing if all values are finite. `values` are those of the whole tensor, in row-major order.
template <class T>
std::optional<std::string> nonFiniteSentence(const std::string& name,
                                             const std::vector<std::int64_t>& shape,
                                             std::span<const T> values)
{
    const auto isNone = [](T value) { return !std::isfinite(value); };
    const auto found = std::ranges::find_if(values, isNone);
    if (found == values.end()) {
        return std::nullopt;
    }
    const auto count = std::ranges::count_if(values, isNone);
    std::string place;
    std::int64_t rest = found - values.begin();
    for (std::size_t i = shape.size(); i > 0; --i) {
        const std::int64_t size = std::max<std::int64_t>(shape[i - 1], 1);
        place.insert(0, (i > 1 ? ", " : "") + std::to_string(rest % size));
        rest /= size;
    }
    return name + " holds " + std::to_string(count)
        + (count == 1 ? " value that is no number" : " values that are no numbers")
        + " (NaN or infinity), the first at [" + place + "]";
}

} // namespace flopsmith
