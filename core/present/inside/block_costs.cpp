// SPDX-License-Identifier: MIT
#include "core/present/inside/block_costs.h"

#include "core/model/pattern.h"
#include "core/present/stack/stack_costs.h"

#include <cstddef>

namespace flopsmith {

BlockCosts::BlockCosts(const Scenario& scenario,
                       const CostTree<Count>& tree,
                       LensId lensId,
                       int run)
    : m_scenario(scenario)
    , m_tree(tree)
    , m_lens(lensId)
    , m_run(scenario.model.runs[static_cast<std::size_t>(run)])
    , m_first(scenario.model.firstBlock(run))
{
    if (const int index = patternOf(scenario.model, run); index >= 0) {
        const Pattern& pattern = scenario.model.patterns[static_cast<std::size_t>(index)];
        m_periods = pattern.times;
        m_period = blocksInPeriod(scenario.model, pattern);
    }
    findNodes();
}

int BlockCosts::part(std::string_view name) const
{
    return childNode(m_tree, m_node, name);
}

InsideCost BlockCosts::costOf(int node) const
{
    InsideCost cost;
    bool blind = false;
    for (const int each : m_alike.at(m_tree.path(node).substr(m_tree.path(m_node).size()))) {
        const Count uses = m_tree.timesUsed(each);
        const Cost<Count>& own = m_tree.node(each).cost;
        cost.parameters += uses * own.parameters.trainable;
        cost.bytes += uses * bytes(m_tree, each, m_scenario.workload.precision).total();
        if (!lens(m_lens).isFormula()) {
            cost.flops += uses * pricedNode<Count>(m_lens, m_tree.node(each));
            blind = blind || isBlindToPart(m_lens, m_tree, each);
        }
    }
    cost.uncounted = blind && cost.flops == 0;
    return cost;
}

// A training step has a block up to three times: forward, recomputed, backward. Shared parameters
// are nodes outside of the blocks.
void BlockCosts::findNodes()
{
    std::vector<int> roots{0};
    if (m_scenario.workload.phase == Phase::train) {
        roots = {childNode(m_tree, 0, "forward"),
                 childNode(m_tree, 0, "recomputed"),
                 childNode(m_tree, 0, "backward")};
    }
    m_node = childNode(m_tree, roots.front(), "blocks", m_first);
    for (const int root : roots) {
        for (int i = 0; i < m_periods; ++i) {
            collectNodes(childNode(m_tree, root, "blocks", m_first + i * m_period));
        }
    }
    if (m_run.block.sharesParameters()) {
        collectNodes(childNode(m_tree, roots.front(), "shared_parameters", m_run.block.shareGroup));
    }
}

void BlockCosts::collectNodes(int block)
{
    if (block < 0) {
        return;
    }
    const std::size_t length = m_tree.path(block).size();
    for (int i = block + 1; i < m_tree.node(block).end; ++i) {
        m_alike[m_tree.path(i).substr(length)].push_back(i);
    }
}

} // namespace flopsmith
