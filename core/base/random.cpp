// SPDX-License-Identifier: MIT
#include "core/base/random.h"

#include "core/base/check.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace flopsmith {

std::uint64_t Random::next()
{
    m_state += 0x9E3779B97F4A7C15ULL;
    std::uint64_t z = m_state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

double Random::uniform()
{
    return static_cast<double>(next() >> 11) * 0x1.0p-53;
}

std::int64_t Random::integer(std::int64_t low, std::int64_t high)
{
    FLOPSMITH_CHECK(low <= high);
    const auto width = static_cast<std::uint64_t>(high - low) + 1;
    return low + static_cast<std::int64_t>(width == 0 ? next() : next() % width);
}

double Random::normal()
{
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

std::vector<int> Random::distinct(int count, int range)
{
    FLOPSMITH_CHECK(0 <= count && count <= range);
    std::vector<int> all(static_cast<std::size_t>(range));
    std::iota(all.begin(), all.end(), 0);
    for (int i = 0; i < count; ++i) {
        const auto other = static_cast<std::size_t>(integer(i, range - 1));
        std::swap(all[static_cast<std::size_t>(i)], all[other]);
    }
    all.resize(static_cast<std::size_t>(count));
    std::sort(all.begin(), all.end());
    return all;
}

} // namespace flopsmith
