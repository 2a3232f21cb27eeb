// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/numbers.h"
#include "core/count/cost_tree.h"
#include "core/layer/residual.h"

#include <string_view>

namespace flopsmith {

/// T·d additions for each branch, and T·d multiplications if scaled. Backward costs the same: the
/// gradient of x is the gradient of the sum plus the gradients that come back through the branches,
/// whose inputs are scaled.
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
