// SPDX-License-Identifier: MIT
#include "core/teach/expression/cost_parts.h"

#include "core/model/tree_path.h"

#include <algorithm>
#include <array>

namespace flopsmith {
namespace {

using CostNode = CostTree<Count>::Node;

/// The role of a node, in any pass of a training step.
enum class PartRole { other, mixer, ffn, head, embedding };

// A group directly in a block is its mixer, its cross-attention or its FFN.
PartRole ownRole(const CostTree<Count>& tree, const CostNode& node)
{
    if (node.kind != OpKind::group || node.parent < 0) {
        return PartRole::other;
    }
    const std::string_view around = tree.node(node.parent).name;
    if (around == "blocks" || around == "block" || around == "shared_parameters") {
        return node.name == "ffn" ? PartRole::ffn : PartRole::mixer;
    }
    if (node.name == "head") {
        return PartRole::head;
    }
    const bool isTable = node.name == "embedding" || node.name == "decoder_embedding";
    return isTable ? PartRole::embedding : PartRole::other;
}

// By node; parts of a part have its role.
std::vector<PartRole> rolesIn(const CostTree<Count>& tree)
{
    std::vector<PartRole> roles;
    for (const CostNode& node : tree.nodes()) {
        const PartRole outside =
            node.parent < 0 ? PartRole::other : roles[static_cast<std::size_t>(node.parent)];
        roles.push_back(outside == PartRole::other ? ownRole(tree, node) : outside);
    }
    return roles;
}

enum class MixerPart { all, projections, scores };

struct NamedPart
{
    std::string_view name;
    PartRole role = PartRole::other;
    MixerPart of = MixerPart::all;
};

constexpr std::array<NamedPart, 7> kNamedParts{{
    {"attention", PartRole::mixer},
    {"projections", PartRole::mixer, MixerPart::projections},
    {"scores", PartRole::mixer, MixerPart::scores},
    {"ffn", PartRole::ffn},
    {"head", PartRole::head},
    {"embedding", PartRole::embedding},
    {"norms", PartRole::other},
}};

const NamedPart* namedPart(std::string_view name)
{
    const auto found = std::find_if(kNamedParts.begin(),
                                    kNamedParts.end(),
                                    [name](const NamedPart& part) { return part.name == name; });
    return found == kNamedParts.end() ? nullptr : &*found;
}

bool isOperation(const CostNode& node)
{
    return node.kind != OpKind::group;
}

// "blocks" also matches "blocks[3]".
bool nodeSegmentMeans(std::string_view asked, std::string_view full)
{
    return asked == full || asked == full.substr(0, full.find('['));
}

bool segmentsMean(std::string_view asked, std::string_view full)
{
    while (!asked.empty() && !full.empty()) {
        const std::size_t askedEnd = std::min(asked.find('/'), asked.size());
        const std::size_t fullEnd = std::min(full.find('/'), full.size());
        if (!nodeSegmentMeans(asked.substr(0, askedEnd), full.substr(0, fullEnd))) {
            return false;
        }
        asked.remove_prefix(std::min(askedEnd + 1, asked.size()));
        full.remove_prefix(std::min(fullEnd + 1, full.size()));
    }
    return asked.empty() && full.empty();
}

bool nodePathMeans(std::string_view asked, std::string_view full)
{
    return segmentsMean(asked, full) || segmentsMean(asked, withoutPass(full));
}

// The outermost nodes whose path matches the name.
NodeList nodesAtPath(const CostTree<Count>& tree, std::string_view name)
{
    NodeList nodes;
    for (int i = 1; i < tree.size(); ++i) {
        if (nodePathMeans(name, tree.path(i))) {
            nodes.push_back(i);
        }
    }
    return nodes;
}

NodeList operationsBelow(const CostTree<Count>& tree, const NodeList& nodes)
{
    NodeList operations;
    for (const int node : nodes) {
        for (int i = node; i < tree.node(node).end; ++i) {
            if (isOperation(tree.node(i))) {
                operations.push_back(i);
            }
        }
    }
    return operations;
}

bool isIn(const NamedPart& part, const CostNode& node, PartRole role)
{
    const bool isProjection = node.kind == OpKind::linear;
    return role == part.role
        && (part.of == MixerPart::all || isProjection == (part.of == MixerPart::projections));
}

NodeList operationsOf(const CostTree<Count>& tree, const NamedPart& part)
{
    const std::vector<PartRole> roles = rolesIn(tree);
    NodeList operations;
    for (int i = 0; i < tree.size(); ++i) {
        if (isOperation(tree.node(i))
            && isIn(part, tree.node(i), roles[static_cast<std::size_t>(i)])) {
            operations.push_back(i);
        }
    }
    return operations;
}

NodeList operationsOfComponent(const CostTree<Count>& tree, std::string_view id)
{
    NodeList operations;
    for (int i = 0; i < tree.size(); ++i) {
        if (isOperation(tree.node(i)) && tree.node(i).component->id == id) {
            operations.push_back(i);
        }
    }
    return operations;
}

// The group of a role, or the first operation of some of it.
std::string pathOfNamedPart(const CostTree<Count>& tree, const NamedPart& part)
{
    const std::vector<PartRole> roles = rolesIn(tree);
    const bool isWhole = part.of == MixerPart::all && part.role != PartRole::other;
    for (int i = 1; i < tree.size(); ++i) {
        const bool fits = isWhole || isOperation(tree.node(i));
        if (fits && isIn(part, tree.node(i), roles[static_cast<std::size_t>(i)])) {
            return tree.path(i);
        }
    }
    return {};
}

} // namespace

NodeList operationsNamed(const CostTree<Count>& tree, std::string_view name)
{
    if (const NamedPart* part = namedPart(name)) {
        return operationsOf(tree, *part);
    }
    const NodeList nodes = nodesAtPath(tree, name);
    return nodes.empty() ? operationsOfComponent(tree, name) : operationsBelow(tree, nodes);
}

std::string partNames(const CostTree<Count>& tree)
{
    std::string names;
    for (const NamedPart& part : kNamedParts) {
        names += (names.empty() ? "" : ", ") + std::string(part.name);
    }
    std::string paths;
    constexpr int kMaxPaths = 8;
    int count = 0;
    for (int i = 1; i < tree.size() && count < kMaxPaths; ++i) {
        if (!isOperation(tree.node(i))) {
            paths += ", " + tree.path(i);
            ++count;
        }
    }
    return names + paths;
}

std::string pathMeant(const CostTree<Count>& tree, std::string_view name)
{
    if (const NodeList nodes = nodesAtPath(tree, name); !nodes.empty()) {
        return tree.path(nodes.front());
    }
    if (const NamedPart* part = namedPart(name)) {
        return pathOfNamedPart(tree, *part);
    }
    const NodeList operations = operationsOfComponent(tree, name);
    return operations.empty() ? std::string() : pathOfComponent(tree, name);
}

} // namespace flopsmith
