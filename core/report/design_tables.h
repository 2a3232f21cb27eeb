// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/budget/memory.h"
#include "core/io/reports/cost_report.h"
#include "core/io/table/table.h"
#include "core/present/stack/stack.h"

#include <vector>

namespace flopsmith {

/// The cost of a component in one pass, over all its operations.
struct ComponentCost
{
    const Component* component = nullptr;
    Count flops = 0; ///< under the lens; 0 under a formula, which has no parts
    Count parameters = 0;
    Count bytes = 0; ///< moved
    bool uncounted = false; ///< it executes something, but the lens counts none of it
};

/// The components with a cost or parameters, in the order of the model.
std::vector<ComponentCost> componentCosts(const CostReport& report);

/// From the embedding to the head: blocks, part, sizes, cost. A long stack ends with a row that
/// says how many rows are left out.
Table stackTable(const StackPicture& picture, LensId lens);

/// A row per component and the total: FLOPs, share, parameters, bytes moved, with all digits.
Table componentTable(const CostReport& report);

/// A row per kind of memory and the total: bytes with all digits, share, and the sizes that
/// determine them.
Table memoryKindsTable(const Scenario& scenario, const Memory& memory);

} // namespace flopsmith
