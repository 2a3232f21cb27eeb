// SPDX-License-Identifier: MIT
#include "core/mixer/no_mixer.h"

#include "core/kernels/cuda/mixing.h"
#include "core/kernels/cuda/zeros.h"

namespace flopsmith::cuda {
namespace {

// A mixer that writes zeros.
class NoMixing : public Mixing
{
public:
    NoMixing(const Device& device, std::int64_t elements)
        : m_device(device)
        , m_elements(elements)
    {}

    void run(const MixerOnDevice& /*input*/, float* y) override
    {
        writeZeros(m_device, y, m_elements);
    }

private:
    const Device& m_device;
    std::int64_t m_elements;
};

} // namespace

std::unique_ptr<Mixing> makeMixing(const NoMixer& /*mixer*/,
                                   const Shape& shape,
                                   DeviceWeights /*weights*/,
                                   const Device& device)
{
    return std::make_unique<NoMixing>(device, static_cast<std::int64_t>(shape.activations()));
}

std::unique_ptr<BackwardStage> makeMixingBackward(const NoMixer& /*mixer*/,
                                                  const Shape& shape,
                                                  DeviceWeights /*weights*/,
                                                  DeviceGradients /*gradients*/,
                                                  const Device& device)
{
    const auto elements = static_cast<std::int64_t>(shape.activations());
    return std::make_unique<ZeroBackwardStage>(device, elements, elements);
}

} // namespace flopsmith::cuda
