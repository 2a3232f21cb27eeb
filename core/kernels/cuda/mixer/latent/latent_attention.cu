// SPDX-License-Identifier: MIT
#include "core/mixer/latent_attention.h"

#include "core/kernels/cuda/mixer/latent/latent_state.h"

namespace flopsmith::cuda {
namespace {

class LatentMixing : public Mixing
{
public:
    LatentMixing(const LatentAttention& attention,
                 const Shape& shape,
                 DeviceWeights weights,
                 const Device& device)
        : m_state(attention, shape, weights, device, Keeping::nothing)
    {}

    void run(const MixerOnDevice& input, float* y) override
    {
        m_state.run(input);
        m_state.out.run(m_state.mixed(), m_state.n.tokens, destinationAt(y, m_state.n.d));
    }

private:
    LatentState m_state;
};

} // namespace

std::unique_ptr<Mixing> makeMixing(const LatentAttention& attention,
                                   const Shape& shape,
                                   DeviceWeights weights,
                                   const Device& device)
{
    return std::make_unique<LatentMixing>(attention, shape, weights, device);
}

} // namespace flopsmith::cuda
