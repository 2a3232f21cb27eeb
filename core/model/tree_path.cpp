// SPDX-License-Identifier: MIT
#include "core/model/tree_path.h"

#include "core/count/by_component.h"

#include <algorithm>
#include <array>

namespace flopsmith {
namespace {

constexpr std::array<std::string_view, 3> kPasses{"forward/", "recomputed/", "backward/"};

std::string segmentOf(const CostTree<Count>::Node& node)
{
    std::string segment(node.name);
    return node.index < 0 ? segment : segment + "[" + std::to_string(node.index) + "]";
}

int childAt(const CostTree<Count>& tree, int parent, std::string_view segment)
{
    for (int i = parent + 1; i < tree.node(parent).end; i = tree.node(i).end) {
        if (segmentOf(tree.node(i)) == segment) {
            return i;
        }
    }
    return -1;
}

bool belongsTo(const std::vector<const Component*>& components, std::string_view id)
{
    return components.size() == 1 && components.front()->id == id;
}

bool isAtOrBelow(std::string_view inner, std::string_view outer)
{
    return inner == outer
        || (inner.size() > outer.size() && inner.substr(0, outer.size()) == outer
            && inner[outer.size()] == '/');
}

} // namespace

std::string_view withoutPass(std::string_view path)
{
    for (const std::string_view pass : kPasses) {
        if (path.substr(0, pass.size()) == pass) {
            return path.substr(pass.size());
        }
    }
    return path;
}

std::string_view parentPath(std::string_view path)
{
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

bool isWithin(std::string_view path, std::string_view whole)
{
    return whole.empty() || isAtOrBelow(path, whole)
        || isAtOrBelow(withoutPass(path), withoutPass(whole));
}

int nodeAt(const CostTree<Count>& tree, std::string_view path)
{
    int node = tree.size() > 0 ? 0 : -1;
    while (node >= 0 && !path.empty()) {
        const std::size_t end = std::min(path.find('/'), path.size());
        node = childAt(tree, node, path.substr(0, end));
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return node;
}

std::string nearestPath(const CostTree<Count>& tree, std::string_view path)
{
    for (std::string_view part = path; !part.empty(); part = parentPath(part)) {
        if (nodeAt(tree, part) > 0) {
            return std::string(part);
        }
        std::string alone(withoutPass(part));
        if (nodeAt(tree, alone) > 0) {
            return alone;
        }
        for (const std::string_view pass : kPasses) {
            std::string other = std::string(pass) + alone;
            if (nodeAt(tree, other) > 0) {
                return other;
            }
        }
    }
    return {};
}

std::vector<const Component*> componentsBelow(const CostTree<Count>& tree, int node)
{
    std::vector<const Component*> components;
    tree.forEachOperation(
        node, [&components](const CostTree<Count>::Node& operation, const Count& /*times*/) {
            const auto same = [&operation](const Component* component) {
                return isSame(*component, *operation.component);
            };
            if (std::none_of(components.begin(), components.end(), same)) {
                components.push_back(operation.component);
            }
        });
    return components;
}

std::string pathOfComponent(const CostTree<Count>& tree,
                            std::string_view componentId,
                            std::string_view inside)
{
    const int whole = nodeAt(tree, inside);
    for (int i = std::max(whole, 1); whole >= 0 && i < tree.node(whole).end; ++i) {
        if (belongsTo(componentsBelow(tree, i), componentId)) {
            return tree.path(i);
        }
    }
    return inside.empty() ? std::string() : pathOfComponent(tree, componentId);
}

} // namespace flopsmith
