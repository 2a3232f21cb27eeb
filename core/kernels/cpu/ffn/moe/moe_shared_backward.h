// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ffn/moe.h"
#include "core/kernels/cpu/backward_stage.h"
#include "core/kernels/cpu/linear/linear_backward.h"
#include "core/kernels/cpu/simd/buffer.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace flopsmith::cpu {

/// The training passes of the shared experts of a mixture and of their gate, if there is one.
/// Weights and gradients are those of the whole mixture.
class MoeSharedBackward
{
public:
    MoeSharedBackward(const MoeFfn& ffn,
                      const StageSize& size,
                      WeightView<float> weights,
                      GradientSpans gradients,
                      std::unique_ptr<BackwardStage> stage);

    /// y = σ(x·w)·shared(x), or shared(x) without a gate.
    void save(const float* x, float* y);

    /// Overwrites dx and the gradients of the shared experts and the gate.
    void run(const float* dy, float* dx);

private:
    void throughGate(std::int64_t token, const float* dy);

    StageSize m_size;
    std::unique_ptr<BackwardStage> m_stage;
    const float* m_weight = nullptr; ///< of the gate
    std::optional<LinearBackward> m_gate;
    const float* m_x = nullptr;
    Buffer m_y; ///< shared(x) before the gate
    Buffer m_dy;
    Buffer m_factors; ///< σ of each token
    Buffer m_dLogits;
};

} // namespace flopsmith::cpu
