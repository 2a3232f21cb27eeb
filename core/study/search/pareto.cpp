// SPDX-License-Identifier: MIT
#include "core/study/search/pareto.h"

#include "core/base/check.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace flopsmith {
namespace {

// The values with signs changed so that smaller is better.
std::vector<std::vector<double>> asCosts(const std::vector<std::vector<double>>& points,
                                         std::span<const Better> directions)
{
    std::vector<std::vector<double>> costs = points;
    for (std::vector<double>& cost : costs) {
        FLOPSMITH_CHECK(cost.size() == directions.size());
        for (std::size_t i = 0; i < cost.size(); ++i) {
            cost[i] = directions[i] == Better::larger ? -cost[i] : cost[i];
        }
    }
    return costs;
}

bool beats(const std::vector<double>& one, const std::vector<double>& other)
{
    bool better = false;
    for (std::size_t i = 0; i < one.size(); ++i) {
        if (one[i] > other[i]) {
            return false;
        }
        better = better || one[i] < other[i];
    }
    return better;
}

} // namespace

std::vector<std::size_t> paretoFront(const std::vector<std::vector<double>>& points,
                                     std::span<const Better> directions)
{
    const std::vector<std::vector<double>> costs = asCosts(points, directions);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < costs.size(); ++i) {
        const bool known = std::none_of(
            costs[i].begin(), costs[i].end(), [](double cost) { return std::isnan(cost); });
        if (known) {
            order.push_back(i);
        }
    }
    // In lexicographic order a point is only dominated by earlier points, and then by one of the
    // front. With two quantities that is always the last of the front.
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return costs[a] < costs[b];
    });
    std::vector<std::size_t> front;
    for (const std::size_t candidate : order) {
        const auto beaten = [&](std::size_t member) {
            return beats(costs[member], costs[candidate]);
        };
        const bool isBeaten = directions.size() == 2
            ? !front.empty() && beaten(front.back())
            : std::any_of(front.rbegin(), front.rend(), beaten);
        if (!isBeaten) {
            front.push_back(candidate);
        }
    }
    std::sort(front.begin(), front.end());
    return front;
}

} // namespace flopsmith
