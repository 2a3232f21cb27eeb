// SPDX-License-Identifier: MIT
#include "core/budget/even_routing.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>

namespace flopsmith {
namespace {

Count scaled(const Count& elements, double by)
{
    return static_cast<Count>(std::llround(toDouble(elements) * by));
}

// "4.625", "256".
std::string expectedText(double experts)
{
    std::string text = fixedText(experts, 3);
    text.erase(text.find_last_not_of('0') + 1);
    return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
}

} // namespace

CostTree<Count> evenlyRouted(CostTree<Count> tree)
{
    tree.changeFrom(0, [](CostTree<Count>::Node& node) {
        if (!node.routed.any()) {
            return;
        }
        const double more = node.routed.expected() / node.routed.min();
        Traffic<Count>& traffic = node.cost.traffic;
        traffic.weights = scaled(traffic.weights, more);
        traffic.vectors = scaled(traffic.vectors, more);
        traffic.gradients = scaled(traffic.gradients, more);
    });
    return tree;
}

std::vector<RoutedExperts> uncertainReads(const CostTree<Count>& tree)
{
    std::vector<RoutedExperts> kinds;
    for (const auto& node : tree.nodes()) {
        const RoutedExperts& routed = node.routed;
        if (routed.any() && routed.max() > routed.min()
            && std::find(kinds.begin(), kinds.end(), routed) == kinds.end()) {
            kinds.push_back(routed);
        }
    }
    return kinds;
}

std::string expertReadsText(const std::vector<RoutedExperts>& kinds)
{
    std::string text;
    for (const RoutedExperts& kind : kinds) {
        text += (text.empty() ? "" : "; ") + std::to_string(kind.min()) + " to "
            + std::to_string(kind.max()) + " of " + std::to_string(kind.experts)
            + " experts per layer, " + expectedText(kind.expected())
            + " expected with even routing";
    }
    return text;
}

} // namespace flopsmith
