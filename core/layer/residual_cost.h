// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/numbers.h"
#include "core/count/cost_tree.h"
#include "core/layer/residual.h"

#include <string_view>

namespace flopsmith {

/// T·d additions for each branch, and T·d multiplications if scaled. Its backward costs the same:
/// the gradient of x is that of the sum plus what comes back through the branches, and what goes
/// into them is scaled.
template <class N>
void addResidual(std::string_view name,
                 const Pass<N>& pass,
                 CostTree<N>& tree,
                 const Residual& residual = {})
{
    const N n = pass.tokens() * pass.dModel;
    Cost<N> cost{.count = {.add = N(residual.branches) * n},
                 .traffic = {.read = N(residual.branches + 1) * n, .written = n}};
    if (residual.scale) {
        cost.count.mul = n;
    }
    tree.operation(name, OpKind::residual, n, cost, &kNormComponent);
}

} // namespace flopsmith
