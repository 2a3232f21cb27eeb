// SPDX-License-Identifier: MIT
#pragma once

#include "core/present/inside/inside.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// The nodes of a run's block in the cost tree, and their cost in all blocks of the run together.
/// Scenario and tree must outlive it.
class BlockCosts
{
public:
    BlockCosts(const Scenario& scenario, const CostTree<Count>& tree, LensId lensId, int run);

    const CostTree<Count>& tree() const { return m_tree; }

    /// Of the run's pattern; 1 without one.
    int periods() const { return m_periods; }

    /// The node of a part of the block in the forward pass, or -1.
    int part(std::string_view name) const;

    InsideCost costOf(int node) const;

private:
    void findNodes();
    void collectNodes(int block);

    const Scenario& m_scenario;
    const CostTree<Count>& m_tree;
    LensId m_lens;
    const BlockRun& m_run;
    int m_first;
    int m_periods = 1;
    int m_period = 0; ///< blocks in one period
    int m_node = -1; ///< of the block, in the forward pass
    std::map<std::string, std::vector<int>> m_alike{}; ///< nodes by their path below the block
};

} // namespace flopsmith
