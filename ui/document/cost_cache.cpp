// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/cost_cache.h"

#include "core/model/updated_cost.h"

#include <utility>

namespace flopsmith::ui {

const CostTree<Count>& CostCache::tree(const Scenario& scenario, PairsRule pairs)
{
    if (!m_tree) {
        auto earlier = std::exchange(m_earlier, std::nullopt);
        m_tree = earlier
            ? updatedCostTree(scenario, pairs, *earlier->scenario, std::move(earlier->tree))
            : costTree(scenario, pairs);
    }
    return *m_tree;
}

void CostCache::replaced(std::shared_ptr<const Scenario> scenario)
{
    if (m_tree) {
        m_earlier = {std::move(scenario), std::move(*m_tree)};
        m_tree.reset();
    }
}

void CostCache::clear()
{
    m_tree.reset();
    m_earlier.reset();
}

} // namespace flopsmith::ui
