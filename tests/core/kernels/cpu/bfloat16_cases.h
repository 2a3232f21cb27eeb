// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/precision.h"
#include "core/kernels/shape.h"
#include "tests/support/bfloat16_anywhere.h"
#include "tests/support/spec_cases.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace flopsmith::cpu {

/// Sizes that are no multiples of what products in bfloat16 are made of, and large enough that the
/// largest of a result tells what its sums are like. Their bound holds for products that follow one
/// another: where a slope jumps (ReLU), values are chosen or a softmax is steep, a rounded operand
/// errs by more, so that what is tested in it are the options that a variant has by itself.
inline std::vector<Shape> shapesToRound()
{
    return {{.batch = 2, .sequence = 9, .context = 9, .dModel = 24},
            {.batch = 3, .sequence = 7, .context = 7, .dModel = 66},
            {.batch = 1, .sequence = 65, .context = 65, .dModel = 97},
            {.batch = 1, .sequence = 1, .context = 1, .dModel = 130}};
}

/// Whether an operation of the FFN or mixer is a product with trained weights, as its cost tells:
/// the products whose operands a precision rounds. A fixed basis is none of these weights.
template <class Spec>
bool multipliesByWeights(const Spec& spec, const Shape& shape)
{
    const CostTree<Count> tree = test::costTree(spec, shape);
    return std::ranges::any_of(tree.nodes(), [](const CostTree<Count>::Node& node) {
        return node.kind == OpKind::linear && node.cost.count.mac > 0
            && node.cost.parameters.trainable > 0;
    });
}

/// operandRounding() for a tensor of `size` values. Rounded operands err by a share of a typical
/// sum, and the largest of a tensor tells what that is; of a few sums over many terms (the gradient
/// of a 1×1 factor) all may have come out small by chance.
inline double roundingOfTensor(Precision precision, std::size_t size)
{
    constexpr std::size_t kFew = 8;
    constexpr double kChance = 4.0;
    return (size < kFew ? kChance : 1.0) * operandRounding(precision);
}

} // namespace flopsmith::cpu
