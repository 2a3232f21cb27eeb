// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/linear/linear.h"
#include "core/kernels/cpu/mixer/scan/gated_norm.h"
#include "core/kernels/cpu/mixer/scan/scan.h"
#include "core/kernels/cpu/mixer/scan/short_convolution.h"
#include "core/kernels/mixer_operands.h"
#include "core/kernels/weights.h"

namespace flopsmith::cpu {

/// The forward pass of Mamba-2, which keeps what its backward pass reads if it is asked to.
class Mamba2Pass
{
public:
    enum class Keeps { nothing, activations };

    Mamba2Pass(const ScanPlan& plan, WeightView<float> weights, Threads threads, Keeps keeps);

    /// y may be null.
    void run(const MixerInput& input, float* y);

    const ScanPlan& plan() const { return m_plan; }
    const Mamba2Tensors& tensors() const { return m_tensors; }
    const float* normed() const { return m_normed.data(); }
    const float* factors() const { return m_factors.data(); } ///< of the norm's parts
    const float* convolved() const { return m_convolved.data(); } ///< before silu
    const float* outputs() const { return m_outputs.data(); } ///< of the scan
    const float* rawSteps() const { return m_rawSteps.data(); } ///< Δ before its softplus
    const Scan& scan() const { return m_scan; }
    ConvolutionInput convolutionInput(const MixerInput& input) const;
    ScanInput scanInput(const MixerInput& input) const;
    GatedNorm gatedNorm() const;

private:
    void computeSteps();

    ScanPlan m_plan;
    WeightView<float> m_weights;
    Mamba2Tensors m_tensors;
    Threads m_threads;
    Linear m_in;
    Linear m_out;
    Scan m_scan;
    Buffer m_projected; ///< [T, z | x | B | C | Δ]
    Buffer m_inputs; ///< x | B | C after convolution and silu [T, channels]
    Buffer m_convolved; ///< [T, channels]; empty unless kept
    Buffer m_steps; ///< Δ [T, H]
    Buffer m_rawSteps; ///< [T, H]; empty unless kept
    Buffer m_decays; ///< A [H]
    Buffer m_outputs; ///< [T, P]
    Buffer m_normed; ///< [T, P]
    Buffer m_factors; ///< [T, G_n]; empty unless kept
};

} // namespace flopsmith::cpu
