// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/budget/memory.h"
#include "core/io/reports/cost_report.h"
#include "core/io/table/table.h"
#include "core/present/stack/stack.h"

#include <vector>

namespace flopsmith {

/// What a component costs in one pass, over all its operations.
struct ComponentCost
{
    const Component* component = nullptr;
    Count flops = 0; ///< under the lens; 0 under a formula, which has no parts
    Count parameters = 0;
    Count bytes = 0; ///< moved
    bool uncounted = false; ///< it executes something, and the lens counts none of it
};

/// Of those that cost or hold something, in the order of the model.
std::vector<ComponentCost> componentCosts(const CostReport& report);

/// From the embedding to the head: blocks, part, sizes, cost. A long stack ends with a row that says
/// how much is left out.
Table stackTable(const StackPicture& picture, LensId lens);

/// A row per component and the total: FLOPs, share, parameters, bytes moved, with all digits.
Table componentTable(const CostReport& report);

/// A row per kind of memory and the total: bytes with all digits, share, what they follow from.
Table memoryKindsTable(const Scenario& scenario, const Memory& memory);

} // namespace flopsmith
