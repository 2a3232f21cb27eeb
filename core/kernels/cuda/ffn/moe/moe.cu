// SPDX-License-Identifier: MIT
#include "core/ffn/moe.h"

#include "core/kernels/cuda/ffn/moe/moe_combine.cuh"
#include "core/kernels/cuda/ffn/moe/moe_shared.h"

namespace flopsmith::cuda {
namespace {

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
        , m_shared(ffn, size, weights, device)
    {}

    void run(const float* x, float* y) override
    {
        m_routing.route(x);
        m_experts.run(m_routing, m_x.of(x, m_size.tokens, m_size.dModel));
        m_shared.run(x);
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
                               m_shared.out(),
                               m_shared.gates(),
                               y});
    }

private:
    const Device& m_device;
    MoeFfn m_ffn;
    StageSize m_size;
    RoundedRows m_x;
    MoeRouting m_routing;
    MoeExperts m_experts;
    SharedExperts m_shared;
};

} // namespace

std::unique_ptr<Stage> makeStage(const MoeFfn& ffn,
                                 const StageSize& size,
                                 DeviceWeights weights,
                                 const Device& device)
{
    return std::make_unique<MoeStage>(ffn, size, weights, device);
}

} // namespace flopsmith::cuda
