// SPDX-License-Identifier: MIT
#include "core/mixer/position_bias.h"

#include "core/base/check.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>

namespace flopsmith {

template <>
std::vector<std::string_view> enumNames<PositionBias>()
{
    return {"none", "alibi", "relative", "shared_relative"};
}

double alibiSlope(int head, int heads)
{
    FLOPSMITH_CHECK(head >= 0 && head < heads);
    const auto power = static_cast<int>(std::bit_floor(static_cast<unsigned>(heads)));
    if (head < power) {
        return std::exp2(-8.0 * (head + 1) / power);
    }
    return std::exp2(-4.0 * (2 * (head - power) + 1) / power);
}

int relativeBucket(int offset, int buckets, Direction direction)
{
    FLOPSMITH_CHECK(buckets >= 4);
    const bool both = direction == Direction::bidirectional;
    const int side = both ? buckets / 2 : buckets;
    const int first = both && offset > 0 ? side : 0;
    const int distance = both ? std::abs(offset) : std::max(-offset, 0);
    const int exact = side / 2;
    if (distance < exact) {
        return first + distance;
    }
    const double share = std::log(static_cast<double>(distance) / exact)
        / std::log(static_cast<double>(kFarthestDistance) / exact);
    // Powers of two fall on the border of a bucket, whatever the logarithms round to.
    constexpr double kRounding = 1e-9;
    const auto above = static_cast<int>(std::min(share, 1.0) * (side - exact) + kRounding);
    return first + std::min(exact + above, side - 1);
}

} // namespace flopsmith
