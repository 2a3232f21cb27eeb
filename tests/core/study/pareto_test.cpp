// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/search/pareto.h"

#include "core/base/random.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace flopsmith {
namespace {

using testing::ElementsAre;

constexpr std::array kBothSmall{Better::smaller, Better::smaller};

TEST(ParetoFront, LeavesOutWhatAnotherPointBeats)
{
    EXPECT_THAT(paretoFront({{1, 5}, {2, 4}, {2, 5}, {3, 3}, {4, 3}}, kBothSmall),
                ElementsAre(0, 1, 3));
}

TEST(ParetoFront, KeepsEqualPointsTogether)
{
    EXPECT_THAT(paretoFront({{1, 2}, {1, 2}, {1, 3}, {0, 3}}, kBothSmall), ElementsAre(0, 1, 3));
}

TEST(ParetoFront, KnowsWhichEndIsBetter)
{
    constexpr std::array kDirections{Better::smaller, Better::larger};

    EXPECT_THAT(paretoFront({{1, 5}, {2, 4}, {2, 6}}, kDirections), ElementsAre(0, 2));
}

TEST(ParetoFront, NeverHoldsAPointWithoutAValue)
{
    EXPECT_THAT(paretoFront({{std::nan(""), 0}, {1, 1}}, kBothSmall), ElementsAre(1));
    EXPECT_TRUE(paretoFront({}, kBothSmall).empty());
}

// The definition, word for word, over every pair.
std::vector<std::size_t> byDefinition(const std::vector<std::vector<double>>& points)
{
    std::vector<std::size_t> front;
    for (std::size_t i = 0; i < points.size(); ++i) {
        bool beaten = false;
        for (const std::vector<double>& other : points) {
            bool noWorse = true;
            bool better = false;
            for (std::size_t k = 0; k < other.size(); ++k) {
                noWorse = noWorse && other[k] <= points[i][k];
                better = better || other[k] < points[i][k];
            }
            beaten = beaten || (noWorse && better);
        }
        if (!beaten) {
            front.push_back(i);
        }
    }
    return front;
}

TEST(ParetoFront, IsWhatTheDefinitionSays)
{
    Random random(7);
    for (const std::size_t quantities : {1U, 2U, 3U, 4U}) {
        std::vector<std::vector<double>> points;
        for (int i = 0; i < 300; ++i) {
            std::vector<double> point;
            for (std::size_t k = 0; k < quantities; ++k) {
                point.push_back(std::floor(random.uniform() * 20)); // many ties
            }
            points.push_back(point);
        }
        const std::vector<Better> directions(quantities, Better::smaller);

        EXPECT_EQ(paretoFront(points, directions), byDefinition(points));
    }
}

} // namespace
} // namespace flopsmith
