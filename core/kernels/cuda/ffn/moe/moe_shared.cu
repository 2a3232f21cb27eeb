// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/ffn/moe/moe_shared.h"

#include "core/kernels/cuda/block/activation.cuh"
#include "core/kernels/cuda/block/block.cuh"

#include <variant>

namespace flopsmith::cuda {
namespace {

constexpr int kRowThreads = 128;

// One warp per token: dShared = σ·dy, and the gradient of the gate before σ.
__global__ void gateGradients(std::int64_t tokens,
                              int d,
                              const float* gates,
                              const float* shared,
                              const float* dy,
                              float* dShared,
                              float* dGates)
{
    const std::int64_t token =
        static_cast<std::int64_t>(blockIdx.x) * (blockDim.x / kWarp) + threadIdx.x / kWarp;
    if (token >= tokens) {
        return;
    }
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    const float open = sigmoid(gates[token]);
    float sum = 0.0F;
    for (std::int64_t i = token * d + lane; i < (token + 1) * d; i += kWarp) {
        sum += dy[i] * shared[i];
        dShared[i] = open * dy[i];
    }
    sum = sumOverWarp(sum);
    if (lane == 0) {
        dGates[token] = sum * open * (1.0F - open);
    }
}

// dx += dInput (+ dGate·w)
struct AddShared
{
    std::int64_t d;
    const float* dInput;
    const float* dGates; ///< null without a gate
    const float* gateWeight;
    float* dx;

    template <int N>
    __device__ void operator()(std::int64_t token, std::int64_t column, Width<N>) const
    {
        const std::int64_t at = token * d + column;
        Pack<float, N> sum = load<N>(dx + at);
        const Pack<float, N> values = load<N>(dInput + at);
        for (int i = 0; i < N; ++i) {
            sum.at[i] += values.at[i];
            if (dGates != nullptr) {
                sum.at[i] += dGates[token] * gateWeight[column + i];
            }
        }
        store<N>(dx + at, sum);
    }
};

std::size_t sharedElements(const MoeFfn& ffn, const StageSize& size)
{
    return ffn.sharedExperts > 0 ? static_cast<std::size_t>(size.activations()) : 0;
}

std::size_t gatesOf(const MoeFfn& ffn, const StageSize& size)
{
    return ffn.hasSharedGate() ? static_cast<std::size_t>(size.tokens) : 0;
}

} // namespace

SharedGate::SharedGate(const MoeFfn& ffn,
                       const StageSize& size,
                       DeviceWeights weights,
                       const Device& device)
    : m_device(device)
    , m_size(size)
    , m_gates(device.memory(), gatesOf(ffn, size))
{
    if (ffn.hasSharedGate()) {
        m_weight = weights[MoeTensors(ffn, size.dModel).sharedGate].data();
    }
}

void SharedGate::run(const float* x)
{
    if (m_weight != nullptr) {
        multiply(m_device,
                 {m_size.tokens, m_size.dModel, 1},
                 operandAt(x, m_size.dModel),
                 operandAt(m_weight, 1),
                 destinationAt(m_gates.data(), 1));
    }
}

SharedExperts::SharedExperts(const MoeFfn& ffn,
                             const StageSize& size,
                             DeviceWeights weights,
                             const Device& device)
    : m_gate(ffn, size, weights, device)
    , m_out(device.memory(), sharedElements(ffn, size))
{
    if (ffn.sharedExperts > 0) {
        const std::size_t first = MoeTensors(ffn, size.dModel).shared;
        m_experts = std::visit(
            [&](const auto& plain) {
                return makeStage(plain, size, weights.subspan(first), device);
            },
            ffn.sharedFfn());
    }
}

void SharedExperts::run(const float* x)
{
    if (m_experts) {
        m_experts->run(x, m_out.data());
        m_gate.run(x);
    }
}

SharedExpertsBackward::SharedExpertsBackward(const MoeFfn& ffn,
                                             const StageSize& size,
                                             DeviceWeights weights,
                                             DeviceGradients gradients,
                                             const Device& device)
    : m_device(device)
    , m_size(size)
    , m_gate(ffn, size, weights, device)
    , m_out(device.memory(), sharedElements(ffn, size))
    , m_dOut(device.memory(), ffn.hasSharedGate() ? sharedElements(ffn, size) : 0)
    , m_dInput(device.memory(), sharedElements(ffn, size))
    , m_dGates(device.memory(), gatesOf(ffn, size))
{
    const MoeTensors places(ffn, size.dModel);
    if (ffn.hasSharedGate()) {
        m_gateGradient = gradients[places.sharedGate];
    }
    if (ffn.sharedExperts > 0) {
        m_experts = std::visit(
            [&](const auto& plain) {
                return makeBackwardStage(plain,
                                         size,
                                         weights.subspan(places.shared),
                                         gradients.subspan(places.shared),
                                         device);
            },
            ffn.sharedFfn());
    }
}

void SharedExpertsBackward::save(const float* x)
{
    m_x = x;
    if (m_experts) {
        m_experts->save(x, m_out.data());
        m_gate.run(x);
    }
}

void SharedExpertsBackward::run(const float* dy, float* dx)
{
    if (!m_experts) {
        return;
    }
    const bool gated = m_gate.weight() != nullptr;
    if (gated) {
        throughGate(dy);
    }
    m_experts->run(gated ? m_dOut.data() : dy, m_dInput.data());
    const int d = m_size.dModel;
    forEachElement(m_device,
                   m_size.tokens,
                   d,
                   AddShared{d, m_dInput.data(), m_dGates.data(), m_gate.weight(), dx});
}

void SharedExpertsBackward::throughGate(const float* dy)
{
    const int d = m_size.dModel;
    launch(m_device,
           static_cast<unsigned>(dividedUp(m_size.tokens, kRowThreads / kWarp)),
           kRowThreads,
           0,
           &gateGradients,
           m_size.tokens,
           d,
           m_gate.gates(),
           m_out.data(),
           dy,
           m_dOut.data(),
           m_dGates.data());
    weightGradient(m_device,
                   operandAt(m_x, d),
                   operandAt(m_dGates.data(), 1),
                   m_size.tokens,
                   d,
                   1,
                   m_gateGradient);
}

} // namespace flopsmith::cuda
