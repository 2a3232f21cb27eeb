// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/check.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace flopsmith::bench {

/// The reference's output for a row (an index among those compared) whose input is perturbed by
/// `relative` times its size, in directions drawn from `seed`.
using MovedRow =
    std::function<std::vector<double>(std::size_t row, double relative, std::uint64_t seed)>;

struct RowsAgreement
{
    Agreement agreement; ///< over all rows
    int moved = 0; ///< rows that agree only with their input perturbed by a rounding error
};

/// Compares `rows` contiguous rows of `found` (the kernel's) and of `expected` (the reference's).
/// `terms` and `operandRounding` as in compare(). Without `moved`, rows that disagree are not tried
/// again.
RowsAgreement compareRows(std::size_t rows,
                          double terms,
                          std::span<const float> found,
                          std::span<const double> expected,
                          const MovedRow& moved,
                          double operandRounding = 0.0);

} // namespace flopsmith::bench
