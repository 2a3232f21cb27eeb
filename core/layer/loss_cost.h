// SPDX-License-Identifier: MIT
#pragma once

#include "core/count/op_count.h"

namespace flopsmith {

/// Cross-entropy of `rows` rows of `classes` logits, averaged over the rows. With m the largest
/// logit of a row, e = exp(x − m), t = Σ e and y the row's class: log t − (x_y − m).
///   per row   V − 1 cmp, V add (subtracting m), V exp, V − 1 add, 1 exp (the logarithm), 1 add,
///             1 move (picking x_y)
///   in all    rows − 1 add, 1 div
/// Kept for the backward pass: e, and t of each row.
template <class N>
Cost<N> crossEntropyCost(const N& rows, const N& classes)
{
    const N n = rows * classes;
    return {.count = {.add = N(2) * n + rows - N(1),
                      .div = N(1),
                      .exp = n + rows,
                      .cmp = n - rows,
                      .move = rows},
            .traffic = {.read = n, .written = n + rows},
            .saved = n + rows};
}

/// Its backward, dx = (e/t − [class = y])/rows: per row 1 mul (t·rows), V div (e over it), and at
/// the class y 1 add (of 1/rows, which is the same for all) and 1 move.
template <class N>
Cost<N> crossEntropyBackwardCost(const N& rows, const N& classes)
{
    const N n = rows * classes;
    return {.count = {.mul = rows, .add = rows, .div = n, .move = rows},
            .traffic = {.read = n + rows, .written = n}};
}

} // namespace flopsmith
