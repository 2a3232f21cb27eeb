// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model_cost.h"

#include <memory>
#include <optional>

namespace flopsmith::ui {

/// The cost tree of a document's scenario, which is counted when it is first asked for. After a
/// change the tree of the scenario before it is updated, because most of both is the same.
class CostCache
{
public:
    const CostTree<Count>& tree(const Scenario& scenario, PairsRule pairs);

    /// Call when another scenario replaces this one.
    void replaced(std::shared_ptr<const Scenario> scenario);

    /// Forgets all trees, as another rule of pairs needs it.
    void clear();

private:
    struct EarlierTree
    {
        std::shared_ptr<const Scenario> scenario;
        CostTree<Count> tree;
    };

    std::optional<CostTree<Count>> m_tree;
    std::optional<EarlierTree> m_earlier;
};

} // namespace flopsmith::ui
