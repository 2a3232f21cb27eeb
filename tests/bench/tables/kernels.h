// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/kernel.h"
#include "tests/bench/tables/cases.h"
#include "tests/bench/tables/torch_peer.h"

#include <memory>
#include <vector>

namespace flopsmith::bench {

/// Random activations for a run, and a gradient or earlier tokens where it has them.
class RunOperands
{
public:
    /// Random ones; each `draw` has its own.
    RunOperands(const Case& each, const RunSize& run, int dModel, int draw = 0);

    RunInput input() const { return {m_x, m_dy, m_keys, m_values}; }

private:
    std::vector<float> m_x;
    std::vector<float> m_dy;
    std::vector<float> m_keys;
    std::vector<float> m_values;
};

/// The CPU kernel of a run; weights and operands are borrowed.
Result<std::unique_ptr<Kernel>> prepareKernel(const Case& each,
                                              const RunSize& run,
                                              int dModel,
                                              const Weights<float>& weights,
                                              const RunOperands& operands);

/// Floating-point operations that the cost tree counts for a run.
double flops(const Case& each, const RunSize& run, int dModel);

} // namespace flopsmith::bench
