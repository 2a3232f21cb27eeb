// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/count.h"
#include "core/model/model.h"

#include <string>
#include <vector>

namespace flopsmith::torch {

/// FLOPs of matrix products in one forward pass, all pairs of queries and keys charged, as profilers
/// of PyTorch count them: 2 for each multiply-add.
struct ExecutedProducts
{
    Count counted = 0; ///< of the design, by the lens "matmul"
    Count executed = 0; ///< by the exported program
    std::vector<std::string> reasons; ///< one sentence for each kind of part that differs

    bool differs() const { return !reasons.empty(); }
};

/// Where classes of the program take another way than the parts that are counted: a random projection
/// and sparse Kronecker factors are dense matrices there, a spectral FFN is always transformed by FFT.
ExecutedProducts executedProducts(const Scenario& scenario);

/// A paragraph of a README with both figures; empty if the program executes exactly the counted
/// products.
std::string productsText(const Scenario& scenario);

} // namespace flopsmith::torch
