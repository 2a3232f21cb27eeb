// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/core/kernels/reference/counting_run.h"
#include "tests/core/kernels/reference/reference_run.h"
#include "tests/support/ffn_cases.h"

#include <gtest/gtest.h>

#include <vector>

namespace flopsmith::reference {

/// Fails if a pass of the FFN executes other operations than its formulas count, class by class.
template <class Ffn>
void expectFormulas(const Ffn& ffn, const Shape& shape)
{
    const WeightShapes shapes = flopsmith::weights(ffn, shape.dModel);
    const auto x = randomActivations<Counted>(shape.activations(), 2);
    const auto weights = randomWeights<Counted>(shapes, 1);
    auto gradients = zeros<Counted>(shapes);
    std::vector<Counted> y(x.size());
    const auto addBackward = [&](const Pass<Count>& pass, CostTree<Count>& tree) {
        addBackwardCost(ffn, pass, tree);
    };

    ASSERT_EQ(text(executed([&] { forward<Counted>(ffn, shape, weights, x, y); })),
              text(executionOf(test::costTree(ffn, shape).total().count)));
    ASSERT_EQ(text(executed([&] { backward<Counted>(ffn, shape, weights, x, x, y, gradients); })),
              text(executionOf(test::treeOf(shape, addBackward).total().count)));
}

} // namespace flopsmith::reference
