// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/weights.h"
#include "core/model/operation.h"

#include <string>
#include <vector>

namespace flopsmith::bench {

/// What an operation is held to against PyTorch (DESIGN, budgets).
enum class Kind {
    product, ///< dense, gated, attention, experts: at least as fast
    cheap, ///< the cheap FFNs: at least three times as fast
};

/// An operation that is timed at several sizes.
struct Case
{
    std::string name; ///< "spectral top_k"
    decltype(Operation::what) what;
    Kind kind;
    /// These lengths alone in a run of all tables, where a case resembles another; empty: every one.
    std::vector<int> lengths{};
};

/// The dense FFN first: the others are compared with it.
std::vector<Case> cases(int dModel);

WeightShapes weightShapes(const Case& each, int dModel);

} // namespace flopsmith::bench
