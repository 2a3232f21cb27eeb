// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ffn/dense.h"
#include "core/ffn/gated.h"
#include "core/kernels/cpu/backward_stage.h"
#include "core/kernels/cpu/linear/linear.h"
#include "core/kernels/cpu/linear/linear_backward.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/weights.h"

#include <cstdint>
#include <optional>

namespace flopsmith::cpu {

/// Arrays of a hidden layer, each [rows, f]. The forward pass saves the first three; a dense FFN
/// has only `hidden`, `slopes` and `dPreActivation`.
struct HiddenRows
{
    float* hidden; ///< act(h) with h = x·W1 + b1, or act(h) ⊙ u with h = x·Wg + bg, u = x·Wu + bu
    float* slopes; ///< act'(h), or act'(h) ⊙ u
    float* gates; ///< act(h) of a gated FFN, 0 where u is beyond its limit
    float* dPreActivation; ///< the gradient of h
    float* dUp; ///< the gradient of u; in the forward pass u itself
};

/// Their memory: three arrays of a dense FFN, five of a gated one.
class HiddenBuffers
{
public:
    HiddenBuffers(bool gated, std::int64_t rows, std::int64_t dFf)
        : m_gated(gated)
        , m_size(bufferSize(rows, dFf))
        , m_values(m_size * (gated ? 5 : 3))
    {}

    HiddenRows rows()
    {
        const auto array = [&](std::size_t i) { return m_values.data() + i * m_size; };
        HiddenRows rows{.hidden = array(0), .slopes = array(1), .dPreActivation = array(2)};
        if (m_gated) {
            rows.gates = array(3);
            rows.dUp = array(4);
        }
        return rows;
    }

private:
    bool m_gated;
    std::size_t m_size;
    Buffer m_values;
};

/// The training passes of a dense or gated FFN in steps, each computed by slices, one per thread.
/// The steps run in the order of the functions, the slices of a step in any order. Weights and
/// gradients are borrowed and begin with the FFN's own.
class HiddenLayerBackward
{
public:
    HiddenLayerBackward(const DenseFfn& ffn,
                        const StageSize& size,
                        WeightView<float> weights,
                        GradientSpans gradients);
    HiddenLayerBackward(const GatedFfn& ffn,
                        const StageSize& size,
                        WeightView<float> weights,
                        GradientSpans gradients);

    /// x [rows, d] → hidden, slopes, gates; the slice has columns of f.
    void projectUp(const float* x, const HiddenRows& rows, const Slice& slice) const;

    /// y = hidden·W2 + b2; the slice has columns of d.
    void projectDown(const HiddenRows& rows, float* y, const Slice& slice) const;

    /// dy [rows, d] → dPreActivation, dUp; the slice has columns of f.
    void hiddenGradients(const float* dy, const HiddenRows& rows, const Slice& slice) const;

    /// The gradients of W2, b2 from `own` rows; the slice has rows and columns of W2.
    void downGradients(const HiddenRows& rows,
                       const float* dy,
                       const Range& own,
                       const Slice& slice) const;

    /// The gradients of W1, b1 or Wg, bg, Wu, bu from `own` rows; the slice has rows and columns of
    /// each matrix.
    void upGradients(const float* x,
                     const HiddenRows& rows,
                     const Range& own,
                     const Slice& slice) const;

    /// dx; the slice has columns of d.
    void input(const HiddenRows& rows, float* dx, const Slice& slice) const;

    bool isGated() const { return m_up.has_value(); }
    std::int64_t dFf() const { return m_dFf; }

private:
    void computeIn(Precision precision);

    Activation m_activation;
    GateValues m_gateValues; ///< of a gated FFN
    std::int64_t m_dModel;
    std::int64_t m_dFf;
    Linear m_first; ///< W1 or Wg
    std::optional<Linear> m_up;
    Linear m_down;
    LinearBackward m_firstBack;
    std::optional<LinearBackward> m_upBack;
    LinearBackward m_downBack;
};

} // namespace flopsmith::cpu
