// SPDX-License-Identifier: MIT
#pragma once

#include "core/ffn/moe.h"
#include "core/kernels/cuda/linear/linear.h"
#include "core/kernels/cuda/stage.h"

// The shared experts, which every token goes through, and the gate that may scale them; both may be
// absent.
namespace flopsmith::cuda {

/// The gate of the shared experts: x·w, before σ.
class SharedGate
{
public:
    SharedGate(const MoeFfn& ffn,
               const StageSize& size,
               DeviceWeights weights,
               const Device& device);

    void run(const float* x);

    const float* gates() const { return m_gates.data(); } ///< null without one
    const float* weight() const { return m_weight; }

private:
    const Device& m_device;
    StageSize m_size;
    const float* m_weight = nullptr;
    DeviceBuffer<float> m_gates;
};

/// The forward pass.
class SharedExperts
{
public:
    SharedExperts(const MoeFfn& ffn,
                  const StageSize& size,
                  DeviceWeights weights,
                  const Device& device);

    void run(const float* x);

    const float* out() const { return m_out.data(); } ///< [tokens, d] without the gate; or null
    const float* gates() const { return m_gate.gates(); }

private:
    SharedGate m_gate;
    DeviceBuffer<float> m_out;
    std::unique_ptr<Stage> m_experts;
};

/// The backward pass, and the activations saved for it.
class SharedExpertsBackward
{
public:
    SharedExpertsBackward(const MoeFfn& ffn,
                          const StageSize& size,
                          DeviceWeights weights,
                          DeviceGradients gradients,
                          const Device& device);

    /// As SharedExperts::run(); x is borrowed until the last run().
    void save(const float* x);

    /// Accumulates into dx and writes the gradients of the weights.
    void run(const float* dy, float* dx);

    const float* out() const { return m_out.data(); }
    const float* gates() const { return m_gate.gates(); }

private:
    void throughGate(const float* dy);

    const Device& m_device;
    StageSize m_size;
    DeviceSpan<float> m_gateGradient;
    const float* m_x = nullptr; ///< of the last save()
    SharedGate m_gate;
    DeviceBuffer<float> m_out;
    DeviceBuffer<float> m_dOut; ///< σ·dy if there is a gate
    DeviceBuffer<float> m_dInput;
    DeviceBuffer<float> m_dGates;
    std::unique_ptr<BackwardStage> m_experts;
};

} // namespace flopsmith::cuda
