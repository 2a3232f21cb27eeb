// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/block/block.cuh"
#include "core/kernels/cuda/ffn/moe/moe_combine.cuh"
#include "core/kernels/cuda/ffn/moe/moe_shared.h"

namespace flopsmith::cuda {
namespace {

constexpr int kRowThreads = 128;

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
        , m_shared(ffn, size, weights, gradients, device)
        , m_dOut(device,
                 tokens() * static_cast<std::size_t>(ffn.perToken)
                     * static_cast<std::size_t>(size.dModel))
        , m_dWeights(device.memory(), tokens() * static_cast<std::size_t>(ffn.perToken))
        , m_dLogits(device.memory(), tokens() * static_cast<std::size_t>(ffn.experts))
        , m_routerSums(device, m_places.routerBias == 0 ? 0 : size.tokens, ffn.experts)
    {}

    void save(const float* x, float* y) override
    {
        m_x = x;
        m_xOperand = m_xRows.of(x, m_size.tokens, m_size.dModel);
        m_routing.route(x);
        m_experts.run(m_routing, m_xOperand);
        m_shared.save(x);
        combine(
            m_routing.weightOfPlace(), m_experts.out(), m_experts.lastBiases(), m_shared.out(), y);
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
        m_shared.run(dy, dx);
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
                               m_shared.gates(),
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

    // The router computes in float32, forward and backward.
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
                 Into::accumulate);
        weightGradient(
            m_device, operandAt(m_x, d), dLogits, m_size.tokens, d, experts, m_gradients[0]);
        if (m_places.routerBias != 0) {
            m_routerSums.run(dLogits, m_size.tokens, m_gradients[m_places.routerBias].data());
        }
        if (m_places.correctionBias != 0) { // affects only the choice, so its gradient is 0
            const DeviceSpan<float> correction = m_gradients[m_places.correctionBias];
            check(cudaMemsetAsync(
                      correction.data(), 0, correction.size() * sizeof(float), m_device.stream()),
                  "write zeros");
        }
    }

    const Device& m_device;
    MoeFfn m_ffn;
    StageSize m_size;
    MoeTensors m_places;
    const float* m_router;
    DeviceGradients m_gradients;
    const float* m_x = nullptr; ///< of the last save()
    Operand m_xOperand;
    RoundedRows m_xRows;
    MoeRouting m_routing;
    MoeExperts m_experts;
    MoeExpertsBackward m_expertsBackward;
    SharedExpertsBackward m_shared;
    OperandBuffer m_dOut;
    DeviceBuffer<float> m_dWeights;
    DeviceBuffer<float> m_dLogits;
    ColumnSums m_routerSums;
};

} // namespace

std::unique_ptr<BackwardStage> makeBackwardStage(const MoeFfn& ffn,
                                                 const StageSize& size,
                                                 DeviceWeights weights,
                                                 DeviceGradients gradients,
                                                 const Device& device)
{
    return std::make_unique<MoeBackwardStage>(ffn, size, weights, gradients, device);
}

} // namespace flopsmith::cuda
