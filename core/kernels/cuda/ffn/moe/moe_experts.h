// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/ffn/moe/moe_routing.h"

namespace flopsmith::cuda {

/// All tensors of one kind, one per expert, as pointers on the device.
template <class T>
std::vector<DeviceSpan<T>> ofExperts(std::span<const DeviceSpan<T>> tensors,
                                     const MoeFfn& ffn,
                                     const MoeTensors& places,
                                     std::size_t which)
{
    std::vector<DeviceSpan<T>> all;
    for (int e = 0; e < ffn.experts; ++e) {
        all.push_back(tensors[places.expert(e) + which]);
    }
    return all;
}

template <class T>
DeviceBuffer<T*> pointersTo(const Device& device, const std::vector<DeviceSpan<T>>& tensors)
{
    std::vector<T*> pointers;
    for (const auto& tensor : tensors) {
        pointers.push_back(tensor.data());
    }
    return {device.memory(), pointers};
}

/// One matrix of every expert, with its biases if there are any.
struct ExpertMatrix
{
    ExpertMatrix(const MoeFfn& ffn,
                 int d,
                 std::size_t which,
                 int in,
                 int out,
                 DeviceWeights weights,
                 const Device& device);

    GroupMatrices matrices;
    DeviceBuffer<const float*> biases;
};

/// Where its gradients go.
struct ExpertGradients
{
    ExpertGradients(const MoeFfn& ffn,
                    int d,
                    std::size_t which,
                    DeviceGradients gradients,
                    const Device& device);

    DeviceBuffer<float*> matrices;
    DeviceBuffer<float*> biases;
};

/// The routed experts, each on the rows that were sent to it. Saves activations only if asked to.
class MoeExperts
{
public:
    enum class Keeps { nothing, forBackward };

    MoeExperts(const MoeFfn& ffn,
               const StageSize& size,
               DeviceWeights weights,
               const Device& device,
               Keeps keeps);

    /// out() from x, of the operands' element, without the last bias.
    void run(const MoeRouting& routing, const Operand& x);

    const float* out() const { return m_out.data(); } ///< [rows, d]
    const float* const* lastBiases() const { return m_matrices.back().biases.data(); }

private:
    friend class MoeExpertsBackward;

    bool isGated() const { return m_ffn.expert == ExpertKind::gated; }
    template <class Value>
    void hideAs(const MoeRouting& routing);

    const Device& m_device;
    MoeFfn m_ffn;
    StageSize m_size;
    Keeps m_keeps;
    std::vector<ExpertMatrix> m_matrices; ///< up, down; or gate, up, down
    OperandBuffer m_first; ///< [rows, f]: input of the activation, then the hidden layer
    OperandBuffer m_second; ///< [rows, f]: the other factor if gated
    OperandBuffer m_hidden; ///< if kept
    DeviceBuffer<float> m_out;
};

/// The backward pass of the routed experts.
class MoeExpertsBackward
{
public:
    MoeExpertsBackward(const MoeExperts& experts, DeviceGradients gradients, const Device& device);

    /// Computes the gradients of rows and weights from `dOut` [rows, d], which has the operands'
    /// element.
    void run(const MoeRouting& routing, const Operand& x, const Operand& dOut);

    const float* dRows() const { return m_dRows.data(); } ///< [rows, d]

private:
    template <class Value>
    void hideBackwardAs();

    const MoeExperts& m_experts;
    const Device& m_device;
    std::vector<ExpertGradients> m_gradients;
    OperandBuffer m_dFirst;
    OperandBuffer m_dSecond;
    DeviceBuffer<float> m_dRows;
};

} // namespace flopsmith::cuda
