// SPDX-License-Identifier: MIT
#pragma once

#include "core/present/stack/stack.h"

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace flopsmith {

/// The child of a node with that name and index, or -1; also -1 for the node -1.
int childNode(const CostTree<Count>& tree, int parent, std::string_view name, int index = -1);

/// The costs of a model's parts, by their nodes in its cost tree. Scenario and tree must outlive
/// it.
class StackCosts
{
public:
    StackCosts(const Scenario& scenario, const CostTree<Count>& tree, LensId lensId);

    /// Of a part of the model, or -1.
    int part(std::string_view name) const { return childNode(m_tree, m_root, name); }

    /// One of each repeat of the run's pattern; its first block is given.
    std::vector<int> nodesOfRun(int run, int first) const;

    std::vector<int> children(const std::vector<int>& parents, std::string_view name) const;

    /// The node after this one and all below it.
    int nodeBehind(int node) const { return m_tree.node(node).end; }

    /// For all these nodes together; missing ones (-1) cost nothing.
    CostBar bar(const std::vector<int>& nodes, const Component* component) const;

private:
    void findCounterparts();
    void findBlocks();
    std::vector<int> nodesLike(int node) const;

    const Scenario& m_scenario;
    const CostTree<Count>& m_tree;
    LensId m_lens;
    int m_root = 0; ///< the node whose children are the parts of the model
    std::map<std::string, std::vector<int>> m_counterparts{}; ///< by path below forward, backward …
    std::unordered_map<int, int> m_blocks{}; ///< nodes of the runs, by their first block
};

} // namespace flopsmith
