// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

namespace flopsmith {

/// Seeded random numbers that are the same on every machine and library (unlike <random>'s
/// distributions), so that weights, index lists and tests can be repeated from a seed.
/// Generator: SplitMix64 (Steele, Lea, Flood 2014).
class Random
{
public:
    explicit Random(std::uint64_t seed)
        : m_state(seed)
    {}

    std::uint64_t next();

    /// In [0, 1).
    double uniform();

    /// In [low, high].
    std::int64_t integer(std::int64_t low, std::int64_t high);

    /// Mean 0, standard deviation 1 (Box-Muller).
    double normal();

    /// `count` different integers of [0, range) in ascending order.
    std::vector<int> distinct(int count, int range);

private:
    std::uint64_t m_state;
};

} // namespace flopsmith
