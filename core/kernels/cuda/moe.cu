// SPDX-License-Identifier: MIT
#include "core/ffn/moe.h"

#include "core/kernels/cuda/activation.cuh"
#include "core/kernels/cuda/block.cuh"
#include "core/kernels/cuda/moe_experts.h"

#include <variant>

namespace flopsmith::cuda {
namespace {

// y = Σ w·(out + bias) over the experts of a token, ascending, and the shared experts' part.
struct Combine
{
    int perToken;
    std::int64_t d;
    const int* rowOfPlace;
    const int* expertOfRow;
    const float* weights; ///< null: 1
    const float* out;
    const float* const* biases;
    const float* shared; ///< null: none
    const float* gates; ///< of the shared part, before σ; null: open
    float* y;

    template <int N>
    __device__ void operator()(std::int64_t token, std::int64_t column, Width<N>) const
    {
        Pack<float, N> sum{};
        for (std::int64_t place = token * perToken; place < (token + 1) * perToken; ++place) {
            const int row = rowOfPlace[place];
            const float weight = weights == nullptr ? 1.0F : weights[place];
            const Pack<float, N> values = load<N>(out + row * d + column);
            const float* const bias = biases == nullptr ? nullptr : biases[expertOfRow[row]];
            for (int i = 0; i < N; ++i) {
                const float added = bias == nullptr ? 0.0F : bias[column + i];
                sum.at[i] += weight * (values.at[i] + added);
            }
        }
        if (shared != nullptr) {
            const Pack<float, N> values = load<N>(shared + token * d + column);
            const float open = gates == nullptr ? 1.0F : sigmoid(gates[token]);
            for (int i = 0; i < N; ++i) {
                sum.at[i] += open * values.at[i];
            }
        }
        store<N>(y + token * d + column, sum);
    }
};

struct RowGradients
{
    std::int64_t rows;
    int d;
    const int* tokenOfRow;
    const int* placeOfRow;
    const int* expertOfRow;
    const float* weights;
    const float* out;
    const float* const* biases;
    const float* dy;
    float* dWeights;
};

// One warp per row: dOut = w·dy, and the gradient of w.
template <class Value>
__global__ void rowGradients(RowGradients a, Value* dOut)
{
    const std::int64_t row =
        static_cast<std::int64_t>(blockIdx.x) * (blockDim.x / kWarp) + threadIdx.x / kWarp;
    if (row >= a.rows) {
        return;
    }
    const int lane = static_cast<int>(threadIdx.x) % kWarp;
    const float weight = a.weights[a.placeOfRow[row]];
    const float* const dy = a.dy + std::int64_t{a.tokenOfRow[row]} * a.d;
    const float* const bias = a.biases == nullptr ? nullptr : a.biases[a.expertOfRow[row]];
    float sum = 0.0F;
    for (int c = lane; c < a.d; c += kWarp) {
        const float added = bias == nullptr ? 0.0F : bias[c];
        sum += dy[c] * (a.out[row * a.d + c] + added);
        setTo(dOut[row * a.d + c], weight * dy[c]);
    }
    sum = sumOverWarp(sum);
    if (lane == 0) {
        a.dWeights[a.placeOfRow[row]] = sum;
    }
}

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

constexpr int kRowThreads = 128;

/// The gate of the shared experts: x·w, before σ.
class SharedGate
{
public:
    SharedGate(const MoeFfn& ffn,
               const StageSize& size,
               DeviceWeights weights,
               const Device& device)
        : m_device(device)
        , m_size(size)
        , m_gates(device.memory(), ffn.hasSharedGate() ? static_cast<std::size_t>(size.tokens) : 0)
    {
        if (ffn.hasSharedGate()) {
            m_weight = weights[MoeTensors(ffn, size.dModel).sharedGate].data();
        }
    }

    void run(const float* x)
    {
        if (m_weight != nullptr) {
            multiply(m_device,
                     {m_size.tokens, m_size.dModel, 1},
                     operandAt(x, m_size.dModel),
                     operandAt(m_weight, 1),
                     destinationAt(m_gates.data(), 1));
        }
    }

    const float* gates() const { return m_gates.data(); } ///< null without one
    const float* weight() const { return m_weight; }

private:
    const Device& m_device;
    StageSize m_size;
    const float* m_weight = nullptr;
    DeviceBuffer<float> m_gates;
};

std::size_t sharedElements(const MoeFfn& ffn, const StageSize& size)
{
    return ffn.sharedExperts > 0 ? static_cast<std::size_t>(size.activations()) : 0;
}

class MoeStage : public Stage
{
public:
    MoeStage(const MoeFfn& ffn, const StageSize& size, DeviceWeights weights, const Device& device)
        : m_device(device)
        , m_ffn(ffn)
        , m_size(size)
        , m_x(device, static_cast<std::size_t>(size.activations()))
        , m_routing(ffn, size, weights, device)
        , m_experts(ffn, size, weights, device, MoeExperts::Keeps::nothing)
        , m_gate(ffn, size, weights, device)
        , m_sharedOut(device.memory(), sharedElements(ffn, size))
    {
        if (ffn.sharedExperts > 0) {
            const std::size_t first = MoeTensors(ffn, size.dModel).shared;
            m_shared = std::visit(
                [&](const auto& plain) {
                    return makeStage(plain, size, weights.subspan(first), device);
                },
                ffn.sharedFfn());
        }
    }

    void run(const float* x, float* y) override
    {
        m_routing.route(x);
        m_experts.run(m_routing, m_x.of(x, m_size.tokens, m_size.dModel));
        if (m_shared) {
            m_shared->run(x, m_sharedOut.data());
            m_gate.run(x);
        }
        forEachElement(m_device,
                       m_size.tokens,
                       m_size.dModel,
                       Combine{m_ffn.perToken,
                               m_size.dModel,
                               m_routing.rowOfPlace(),
                               m_routing.expertOfRow(),
                               m_routing.weightOfPlace(),
                               m_experts.out(),
                               m_experts.lastBiases(),
                               m_sharedOut.data(),
                               m_gate.gates(),
                               y});
    }

private:
    const Device& m_device;
    MoeFfn m_ffn;
    StageSize m_size;
    RoundedRows m_x;
    MoeRouting m_routing;
    MoeExperts m_experts;
    SharedGate m_gate;
    DeviceBuffer<float> m_sharedOut;
    std::unique_ptr<Stage> m_shared;
};

class MoeBackwardStage : public BackwardStage
{
public:
    MoeBackwardStage(const MoeFfn& ffn,
                     const StageSize& size,
                     DeviceWeights weights,
                     DeviceGradients gradients,
                     const Device& device)
        : m_device(device)
        , m_ffn(ffn)
        , m_size(size)
        , m_places(ffn, size.dModel)
        , m_router(weights[0].data())
        , m_gradients(gradients)
        , m_xRows(device, static_cast<std::size_t>(size.activations()))
        , m_routing(ffn, size, weights, device)
        , m_experts(ffn, size, weights, device, MoeExperts::Keeps::forBackward)
        , m_expertsBackward(m_experts, gradients, device)
        , m_gate(ffn, size, weights, device)
        , m_sharedOut(device.memory(), sharedElements(ffn, size))
        , m_dShared(device.memory(), ffn.hasSharedGate() ? sharedElements(ffn, size) : 0)
        , m_dInput(device.memory(), sharedElements(ffn, size))
        , m_dGates(device.memory(), m_dShared.size() == 0 ? 0 : tokens())
        , m_dOut(device, tokens() * static_cast<std::size_t>(ffn.perToken * size.dModel))
        , m_dWeights(device.memory(), tokens() * static_cast<std::size_t>(ffn.perToken))
        , m_dLogits(device.memory(), tokens() * static_cast<std::size_t>(ffn.experts))
        , m_routerSums(device, m_places.routerBias == 0 ? 0 : size.tokens, ffn.experts)
    {
        if (ffn.sharedExperts > 0) {
            m_shared = std::visit(
                [&](const auto& plain) {
                    return makeBackwardStage(plain,
                                             size,
                                             weights.subspan(m_places.shared),
                                             gradients.subspan(m_places.shared),
                                             device);
                },
                ffn.sharedFfn());
        }
    }

    void remember(const float* x, float* y) override
    {
        m_x = x;
        m_xOperand = m_xRows.of(x, m_size.tokens, m_size.dModel);
        m_routing.route(x);
        m_experts.run(m_routing, m_xOperand);
        if (m_shared) {
            m_shared->remember(x, m_sharedOut.data());
            m_gate.run(x);
        }
        combine(m_routing.weightOfPlace(),
                m_experts.out(),
                m_experts.lastBiases(),
                m_sharedOut.data(),
                y);
    }

    void run(const float* dy, float* dx) override
    {
        if (m_dOut.element() == Element::bfloat16) {
            startRows<__nv_bfloat16>(dy);
        } else {
            startRows<float>(dy);
        }
        m_expertsBackward.run(m_routing, m_xOperand, m_dOut.rows(m_size.dModel));
        combine(nullptr, m_expertsBackward.dRows(), nullptr, nullptr, dx);
        throughRouter(dx);
        if (m_shared) {
            throughShared(dy, dx);
        }
    }

private:
    std::size_t tokens() const { return static_cast<std::size_t>(m_size.tokens); }

    void combine(const float* weights,
                 const float* rows,
                 const float* const* biases,
                 const float* shared,
                 float* to) const
    {
        forEachElement(m_device,
                       m_size.tokens,
                       m_size.dModel,
                       Combine{m_ffn.perToken,
                               m_size.dModel,
                               m_routing.rowOfPlace(),
                               m_routing.expertOfRow(),
                               weights,
                               rows,
                               biases,
                               shared,
                               m_gate.gates(),
                               to});
    }

    template <class Value>
    void startRows(const float* dy)
    {
        launch(m_device,
               static_cast<unsigned>(dividedUp(m_routing.rows(), kRowThreads / kWarp)),
               kRowThreads,
               0,
               &rowGradients<Value>,
               RowGradients{m_routing.rows(),
                            m_size.dModel,
                            m_routing.tokenOfRow(),
                            m_routing.placeOfRow(),
                            m_routing.expertOfRow(),
                            m_routing.weightOfPlace(),
                            m_experts.out(),
                            m_experts.lastBiases(),
                            dy,
                            m_dWeights.data()},
               static_cast<Value*>(m_dOut.rows(m_size.dModel).first));
    }

    // Decisions are made on float32 values, and so are their gradients.
    void throughRouter(float* dx)
    {
        const int d = m_size.dModel;
        const int experts = m_ffn.experts;
        m_routing.backward(m_dWeights.data(), m_dLogits.data());
        const Operand dLogits = operandAt(m_dLogits.data(), experts);
        multiply(m_device,
                 {m_size.tokens, experts, d},
                 dLogits,
                 Stored::straight,
                 operandAt(m_router, experts),
                 Stored::transposed,
                 destinationAt(dx, d),
                 Into::add);
        weightGradient(
            m_device, operandAt(m_x, d), dLogits, m_size.tokens, d, experts, m_gradients[0]);
        if (m_places.routerBias != 0) {
            m_routerSums.run(dLogits, m_size.tokens, m_gradients[m_places.routerBias].data());
        }
        if (m_places.correctionBias != 0) { // moves the choice alone
            const DeviceSpan<float> correction = m_gradients[m_places.correctionBias];
            check(cudaMemsetAsync(
                      correction.data(), 0, correction.size() * sizeof(float), m_device.stream()),
                  "write zeros");
        }
    }

    void throughShared(const float* dy, float* dx)
    {
        const int d = m_size.dModel;
        const bool gated = m_gate.weight() != nullptr;
        if (gated) {
            launch(m_device,
                   static_cast<unsigned>(dividedUp(m_size.tokens, kRowThreads / kWarp)),
                   kRowThreads,
                   0,
                   &gateGradients,
                   m_size.tokens,
                   d,
                   m_gate.gates(),
                   m_sharedOut.data(),
                   dy,
                   m_dShared.data(),
                   m_dGates.data());
            weightGradient(m_device,
                           operandAt(m_x, d),
                           operandAt(m_dGates.data(), 1),
                           m_size.tokens,
                           d,
                           1,
                           m_gradients[m_places.sharedGate]);
        }
        m_shared->run(gated ? m_dShared.data() : dy, m_dInput.data());
        forEachElement(m_device,
                       m_size.tokens,
                       d,
                       AddShared{d, m_dInput.data(), m_dGates.data(), m_gate.weight(), dx});
    }

    const Device& m_device;
    MoeFfn m_ffn;
    StageSize m_size;
    MoeTensors m_places;
    const float* m_router;
    DeviceGradients m_gradients;
    const float* m_x = nullptr; ///< of the last remember()
    Operand m_xOperand;
    RoundedRows m_xRows;
    MoeRouting m_routing;
    MoeExperts m_experts;
    MoeExpertsBackward m_expertsBackward;
    SharedGate m_gate;
    DeviceBuffer<float> m_sharedOut;
    DeviceBuffer<float> m_dShared;
    DeviceBuffer<float> m_dInput;
    DeviceBuffer<float> m_dGates;
    OperandBuffer m_dOut;
    DeviceBuffer<float> m_dWeights;
    DeviceBuffer<float> m_dLogits;
    ColumnSums m_routerSums;
    std::unique_ptr<BackwardStage> m_shared;
};

} // namespace

std::unique_ptr<Stage> makeStage(const MoeFfn& ffn,
                                 const StageSize& size,
                                 DeviceWeights weights,
                                 const Device& device)
{
    return std::make_unique<MoeStage>(ffn, size, weights, device);
}

std::unique_ptr<BackwardStage> makeBackwardStage(const MoeFfn& ffn,
                                                 const StageSize& size,
                                                 DeviceWeights weights,
                                                 DeviceGradients gradients,
                                                 const Device& device)
{
    return std::make_unique<MoeBackwardStage>(ffn, size, weights, gradients, device);
}

} // namespace flopsmith::cuda
