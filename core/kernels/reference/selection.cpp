// SPDX-License-Identifier: MIT
#include "core/kernels/reference/selection.h"

#include "core/base/check.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace flopsmith::reference {

std::vector<int> largest(std::span<const double> values, int count)
{
    FLOPSMITH_CHECK(count >= 0 && static_cast<std::size_t>(count) <= values.size());
    const auto rank = [values](int i) {
        return std::isnan(values[i]) ? std::numeric_limits<double>::infinity() : values[i];
    };
    std::vector<int> indices(values.size());
    std::iota(indices.begin(), indices.end(), 0);
    std::stable_sort(
        indices.begin(), indices.end(), [&](int a, int b) { return rank(a) > rank(b); });
    indices.resize(static_cast<std::size_t>(count));
    std::sort(indices.begin(), indices.end());
    return indices;
}

} // namespace flopsmith::reference
