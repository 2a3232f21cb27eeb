// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/block/elements.cuh"
#include "core/kernels/cuda/layer.h"
#include "core/kernels/cuda/stage_kernel.h"

namespace flopsmith::cuda {
namespace {

struct Sum
{
    const float* x;
    const float* f;
    const float* g; ///< null if there is one branch
    float scale;
    float* sum;

    template <int N>
    __device__ void operator()(std::int64_t, std::int64_t at, Width<N>) const
    {
        const Pack<float, N> stream = load<N>(x + at);
        Pack<float, N> branches = load<N>(f + at);
        if (g != nullptr) {
            const Pack<float, N> second = load<N>(g + at);
            for (int i = 0; i < N; ++i) {
                branches.at[i] += second.at[i];
            }
        }
        for (int i = 0; i < N; ++i) {
            branches.at[i] = stream.at[i] + scale * branches.at[i];
        }
        store<N>(sum + at, branches);
    }
};

class ResidualStage
{
public:
    ResidualStage(const Device& device,
                  const Residual& residual,
                  std::span<const float> f,
                  std::span<const float> g)
        : m_device(device)
        , m_scale(residual.scale ? static_cast<float>(residual.factor) : 1.0F)
        , m_f(device.memory(), f)
        , m_g(device.memory(), g)
    {}

    void run(const float* x, float* y)
    {
        forEachElement(m_device,
                       1,
                       static_cast<std::int64_t>(m_f.size()),
                       Sum{x, m_f.data(), m_g.data(), m_scale, y});
    }

private:
    const Device& m_device;
    float m_scale;
    DeviceBuffer<float> m_f;
    DeviceBuffer<float> m_g;
};

} // namespace

Result<std::unique_ptr<Kernel>> prepareResidual(const Residual& residual,
                                                std::span<const float> x,
                                                std::span<const float> f,
                                                std::span<const float> g,
                                                const Device& device)
{
    FLOPSMITH_CHECK(x.size() == f.size());
    FLOPSMITH_CHECK(g.size() == (residual.branches > 1 ? x.size() : 0));
    return prepared(device, [&]() -> std::unique_ptr<Kernel> {
        return std::make_unique<StageKernel<ResidualStage>>(
            device, WeightView<float>(), x, x.size(), [&](DeviceWeights) {
                return std::make_unique<ResidualStage>(device, residual, f, g);
            });
    });
}

} // namespace flopsmith::cuda
