// SPDX-License-Identifier: MIT
#include "core/present/stack/stack_costs.h"

#include "core/base/text.h"
#include "core/model/pattern.h"

#include <algorithm>
#include <cstddef>

namespace flopsmith {

int childNode(const CostTree<Count>& tree, int parent, std::string_view name, int index)
{
    const int end = parent < 0 ? -1 : tree.node(parent).end;
    for (int i = parent + 1; i < end; i = tree.node(i).end) {
        if (tree.node(i).name == name && tree.node(i).index == index) {
            return i;
        }
    }
    return -1;
}

StackCosts::StackCosts(const Scenario& scenario, const CostTree<Count>& tree, LensId lensId)
    : m_scenario(scenario)
    , m_tree(tree)
    , m_lens(lensId)
{
    if (scenario.workload.phase == Phase::train) {
        m_root = part("forward");
        findCounterparts();
    }
    findBlocks();
}

// A training step has a part of the model up to three times: forward, recomputed, backward.
void StackCosts::findCounterparts()
{
    for (int i = 1; i < m_tree.size(); ++i) {
        const std::string path = m_tree.path(i);
        const std::size_t slash = path.find('/');
        if (slash != std::string::npos) {
            m_counterparts[path.substr(slash)].push_back(i);
        }
    }
}

// In one pass, because the nodes of a thousand runs are in sequence.
void StackCosts::findBlocks()
{
    for (int i = m_root + 1; i < m_tree.node(m_root).end; i = m_tree.node(i).end) {
        if (m_tree.node(i).name == "blocks") {
            m_blocks[m_tree.node(i).index] = i;
        }
    }
}

std::vector<int> StackCosts::nodesLike(int node) const
{
    if (m_counterparts.empty()) {
        return {node};
    }
    const std::string path = m_tree.path(node);
    return m_counterparts.at(path.substr(path.find('/')));
}

std::vector<int> StackCosts::nodesOfRun(int run, int first) const
{
    const Model& model = m_scenario.model;
    const int index = patternOf(model, run);
    if (index < 0) {
        return {m_blocks.at(first)};
    }
    const Pattern& pattern = model.patterns[static_cast<std::size_t>(index)];
    const int period = blocksInPeriod(model, pattern);
    std::vector<int> nodes;
    for (int i = 0; i < pattern.times; ++i) {
        nodes.push_back(m_blocks.at(first + i * period));
    }
    return nodes;
}

std::vector<int> StackCosts::children(const std::vector<int>& parents, std::string_view name) const
{
    std::vector<int> found;
    for (const int parent : parents) {
        found.push_back(childNode(m_tree, parent, name));
    }
    return found;
}

CostBar StackCosts::bar(const std::vector<int>& nodes, const Component* component) const
{
    CostBar bar{.component = component, .text = "0", .exactText = "0"};
    if (std::all_of(nodes.begin(), nodes.end(), [](int node) { return node < 0; })) {
        return bar; // a part without operations, such as a norm that is switched off
    }
    if (lens(m_lens).isFormula()) {
        bar.text = bar.exactText = "\xE2\x80\x93";
        return bar;
    }
    Count price = 0;
    bool blind = true;
    for (const int node : nodes) {
        if (node < 0) {
            continue;
        }
        for (const int each : nodesLike(node)) {
            price += m_tree.timesUsed(each) * pricedPart(m_lens, m_tree, each);
            blind = blind && isBlindToPart(m_lens, m_tree, each);
        }
    }
    bar.value = toDouble(price);
    bar.uncounted = blind;
    bar.text = bar.uncounted ? "uncounted" : siText(bar.value);
    bar.exactText = groupedDigits(price) + " " + std::string(lens(m_lens).unit);
    return bar;
}

} // namespace flopsmith
