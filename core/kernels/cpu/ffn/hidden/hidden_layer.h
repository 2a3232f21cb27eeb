// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ffn/dense.h"
#include "core/ffn/gated.h"
#include "core/kernels/cpu/linear/linear.h"
#include "core/kernels/cpu/stage.h"
#include "core/kernels/weights.h"

#include <cstdint>
#include <optional>

namespace flopsmith::cpu {

/// The i-th matrix of an FFN, which is followed by its bias if there are biases.
inline Linear linearAt(bool bias, WeightView<float> weights, std::size_t i, int in, int out)
{
    const std::size_t at = bias ? 2 * i : i;
    return {in, out, weights[at].data(), bias ? weights[at + 1].data() : nullptr};
}

/// The up and the down projection of a dense or gated FFN, computed by slices, one per thread.
/// `weights` are borrowed and begin with the FFN's own. They are packed for products of size.tokens
/// rows; any number of rows may be multiplied.
class HiddenLayer
{
public:
    HiddenLayer(const DenseFfn& ffn, const StageSize& size, WeightView<float> weights);
    HiddenLayer(const GatedFfn& ffn, const StageSize& size, WeightView<float> weights);

    /// hidden = act(x·W1 + b1), or act(x·Wg + bg) ⊙ (x·Wu + bu). Only a gated FFN needs `gates`,
    /// its scratch for x·Wg. x [tokens, d], both others [tokens, f].
    void projectUp(const float* x, float* gates, float* hidden, const Slice& slice) const;

    /// y = hidden·W2 + b2
    void projectDown(const float* hidden, float* y, const Slice& slice) const;

    Activation activation() const { return m_activation; }
    const GateValues& gateValues() const { return m_gateValues; }
    const Linear* gate() const { return m_gate ? &*m_gate : nullptr; } ///< null if dense
    const Linear& up() const { return m_up; }
    const Linear& down() const { return m_down; }

private:
    void pack(const StageSize& size);
    void gateSlice(float* gates, float* hidden, const Slice& slice) const;

    Activation m_activation;
    GateValues m_gateValues; ///< of a gated FFN
    std::optional<Linear> m_gate;
    Linear m_up;
    Linear m_down;
};

} // namespace flopsmith::cpu
