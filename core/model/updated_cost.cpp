// SPDX-License-Identifier: MIT
#include "core/model/updated_cost.h"

#include "core/model/forward_cost.h"
#include "core/model/model_passes.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace flopsmith {

namespace {

bool standsAlone(const BlockRun& run)
{
    return !run.block.isEncoder() && !run.block.sharesParameters();
}

// Whether each run's nodes depend on the run, the width and the workload alone.
bool hasIndependentRuns(const Scenario& scenario)
{
    const auto& runs = scenario.model.runs;
    return scenario.workload.phase != Phase::train
        && std::all_of(runs.begin(), runs.end(), standsAlone);
}

bool differsInRunsAlone(const Scenario& a, const Scenario& b)
{
    const Model& one = a.model;
    const Model& other = b.model;
    return a.workload == b.workload && one.dModel == other.dModel
        && one.embedding == other.embedding && one.finalNorm == other.finalNorm
        && one.head == other.head;
}

// The root's parts that are runs of blocks, in order, and one past the last of them.
std::vector<int> nodesOfRuns(const CostTree<Count>& tree)
{
    using namespace std::string_view_literals;
    std::vector<int> nodes;
    int end = 0;
    for (int i = 1; i < tree.size(); i = tree.node(i).end) {
        if (tree.node(i).name == "blocks"sv) {
            nodes.push_back(i);
            end = tree.node(i).end;
        }
    }
    nodes.push_back(end);
    return nodes;
}

// Because runs below an added or deleted block begin elsewhere.
void numberRuns(const Model& model, CostTree<Count>& tree)
{
    const std::vector<int> nodes = nodesOfRuns(tree);
    int block = 0;
    for (std::size_t run = 0; run < model.runs.size(); ++run) {
        tree.setIndex(nodes[run], block);
        block += model.runs[run].repeat;
    }
}

} // namespace

CostTree<Count> updatedCostTree(const Scenario& scenario,
                                PairsRule pairs,
                                const Scenario& before,
                                CostTree<Count> tree)
{
    const Model& model = scenario.model;
    const auto& runs = model.runs;
    const auto& had = before.model.runs;
    if (!differsInRunsAlone(scenario, before) || !hasIndependentRuns(scenario)
        || !hasIndependentRuns(before) || runs.empty() || had.empty()) {
        return costTree(scenario, pairs);
    }
    const auto [one, other] = std::mismatch(runs.begin(), runs.end(), had.begin(), had.end());
    const auto same = one - runs.begin();
    const auto left = std::min(runs.end() - one, had.end() - other);
    const auto sameAtEnd =
        std::mismatch(runs.rbegin(), runs.rbegin() + left, had.rbegin()).first - runs.rbegin();

    const std::vector<int> nodes = nodesOfRuns(tree);
    const Pass<Count> pass = passOf(scenario, pairs, Numbers<Count>{});
    CostTree<Count> changed;
    {
        const auto root = changed.group("model", kNormComponent);
        int block = model.firstBlock(static_cast<int>(same));
        for (auto run = one; run != runs.end() - sameAtEnd; ++run) {
            addRun(model, static_cast<int>(run - runs.begin()), block, pass, changed);
            block += run->repeat;
        }
    }
    tree.replaceParts(nodes.at(static_cast<std::size_t>(same)),
                      nodes.at(had.size() - static_cast<std::size_t>(sameAtEnd)),
                      changed);
    numberRuns(model, tree);
    return tree;
}

} // namespace flopsmith
