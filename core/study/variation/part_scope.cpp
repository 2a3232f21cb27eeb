// SPDX-License-Identifier: MIT
#include "core/study/variation/part_scope.h"

#include "core/model/tree_path.h"

#include <algorithm>

namespace flopsmith {
namespace {

using Tree = CostTree<Count>;

int runOf(const Model& model, const PartScope& scope)
{
    return std::clamp(scope.run, 0, static_cast<int>(model.runs.size()) - 1);
}

const Block& blockOf(const Model& model, const PartScope& scope)
{
    return model.runs.at(static_cast<std::size_t>(runOf(model, scope))).block;
}

/// Copies parts of a tree, with the groups around them, into another.
class ScopeCopy
{
public:
    ScopeCopy(const Tree& tree, Tree& copy, std::string path, std::string shared)
        : m_tree(tree)
        , m_copy(copy)
        , m_path(std::move(path))
        , m_shared(std::move(shared))
    {}

    void copyBelow(int node)
    {
        for (int i = node + 1; i < m_tree.node(node).end; i = m_tree.node(i).end) {
            const std::string path = m_tree.path(i);
            if (isInScope(path)) {
                copyPart(i);
            } else if (leadsToScope(path)) {
                const Tree::Node& around = m_tree.node(i);
                const auto group = m_copy.group(
                    around.name, *around.component, around.index, Count{1}, around.place);
                copyBelow(i);
            }
        }
    }

private:
    bool isInScope(const std::string& path) const
    {
        const std::string_view alone = withoutPass(path);
        return alone == m_path || (!m_shared.empty() && alone == m_shared);
    }

    // A pass, or a group around the part.
    bool leadsToScope(const std::string& path) const
    {
        const std::string_view alone = withoutPass(path);
        return withoutPass(path + "/").empty() || isWithin(m_path, alone)
            || (!m_shared.empty() && isWithin(m_shared, alone));
    }

    // Once, whatever its repeat; what is inside keeps its own.
    void copyPart(int node)
    {
        const Tree::Node& part = m_tree.node(node);
        if (part.kind != OpKind::group) {
            copyOperation(part);
            return;
        }
        const auto group =
            m_copy.group(part.name, *part.component, part.index, Count{1}, part.place);
        copyInside(node);
    }

    void copyInside(int node)
    {
        for (int i = node + 1; i < m_tree.node(node).end; i = m_tree.node(i).end) {
            const Tree::Node& part = m_tree.node(i);
            if (part.kind != OpKind::group) {
                copyOperation(part);
                continue;
            }
            const auto group =
                m_copy.group(part.name, *part.component, part.index, part.repeat, part.place);
            copyInside(i);
        }
    }

    void copyOperation(const Tree::Node& part)
    {
        m_copy.operation(part.name, part.kind, part.elements, part.cost, part.component);
        m_copy.placeLast(part.place);
        m_copy.markLastAsExpert(part.routed);
    }

    const Tree& m_tree;
    Tree& m_copy;
    std::string m_path;
    std::string m_shared; ///< the part of the parameters that blocks share; empty without
};

} // namespace

template <>
std::vector<std::string_view> enumNames<ScopeKind>()
{
    return {"model", "block", "ffn"};
}

std::string scopePath(const Model& model, const PartScope& scope)
{
    if (scope.isModel() || model.runs.empty()) {
        return {};
    }
    const std::string block =
        "blocks[" + std::to_string(model.firstBlock(runOf(model, scope))) + "]";
    return scope.kind == ScopeKind::ffn ? block + "/ffn" : block;
}

std::string scopeText(const Model& model, const PartScope& scope)
{
    if (scope.isModel() || model.runs.empty()) {
        return {};
    }
    const std::string block = "block " + std::to_string(model.firstBlock(runOf(model, scope)) + 1);
    return scope.kind == ScopeKind::ffn ? "FFN of " + block : block;
}

bool hasScope(const Model& model, const PartScope& scope)
{
    return scope.isModel()
        || (!model.runs.empty()
            && (scope.kind == ScopeKind::block || blockOf(model, scope).hasFfn()));
}

CostTree<Count> scopedTree(const CostTree<Count>& tree, const Model& model, const PartScope& scope)
{
    if (scope.isModel() || model.runs.empty()) {
        return tree;
    }
    const Block& block = blockOf(model, scope);
    std::string shared;
    if (block.sharesParameters()) {
        shared = "shared_parameters[" + std::to_string(block.shareGroup) + "]"
            + (scope.kind == ScopeKind::ffn ? "/ffn" : "");
    }
    Tree copy;
    {
        const Tree::Node& root = tree.node(0);
        const auto group = copy.group(root.name, *root.component);
        ScopeCopy(tree, copy, scopePath(model, scope), shared).copyBelow(0);
    }
    return copy;
}

std::vector<MeasuredPart> scopedParts(const Scenario& scenario, const PartScope& scope)
{
    const Model& model = scenario.model;
    if (scope.isModel() || model.runs.empty()) {
        return measuredParts(scenario);
    }
    // Alone, so that equal operations of other parts are not counted with it.
    Scenario alone = scenario;
    alone.model.runs = {model.runs.at(static_cast<std::size_t>(runOf(model, scope)))};
    alone.model.runs.front().repeat = 1;
    alone.model.patterns.clear();
    alone.model.finalNorm = Norm::absent();
    alone.model.embedding.norm = Norm::absent();
    const PartScope first{.kind = scope.kind, .run = 0};
    const std::string path = scopePath(alone.model, first);
    const std::string there = scopePath(model, scope);
    std::vector<MeasuredPart> parts;
    std::vector<int> places;
    for (MeasuredPart& part : measuredParts(alone)) {
        const bool isInside = isWithin(part.path, path);
        places.push_back(isInside ? static_cast<int>(parts.size()) : -1);
        if (isInside) {
            part.path.replace(part.path.find(path), path.size(), there);
            part.partOf = part.partOf < 0 ? -1 : places.at(static_cast<std::size_t>(part.partOf));
            part.elsewhere.clear();
            parts.push_back(std::move(part));
        }
    }
    return parts;
}

} // namespace flopsmith
