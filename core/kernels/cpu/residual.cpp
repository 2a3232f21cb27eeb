// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/buffer.h"
#include "core/kernels/cpu/layer.h"
#include "core/kernels/cpu/preparation.h"

namespace flopsmith::cpu {
namespace {

class ResidualKernel : public Kernel
{
public:
    ResidualKernel(std::span<const float> x, std::span<const float> f, Threads threads)
        : m_x(x)
        , m_f(f)
        , m_threads(threads)
        , m_sum(x.size())
    {}

    void run() override
    {
        const Threads busy = worthwhile(m_threads, static_cast<std::int64_t>(m_x.size()));
        onThreads(busy, [this, busy](int part) {
            constexpr std::int64_t kCacheLine = 16;
            const Range mine =
                partOf(static_cast<std::int64_t>(m_x.size()), busy.count, part, kCacheLine);
            const float* x = m_x.data();
            const float* f = m_f.data();
            float* sum = m_sum.data();
            for (std::int64_t i = mine.first; i < mine.last; ++i) {
                sum[i] = x[i] + f[i];
            }
        });
    }

    std::span<const float> output() const override { return m_sum.span(); }
    std::size_t workspaceBytes() const override { return 0; }

private:
    std::span<const float> m_x;
    std::span<const float> m_f;
    Threads m_threads;
    Buffer m_sum;
};

} // namespace

Result<std::unique_ptr<Kernel>> prepareResidual(std::span<const float> x,
                                                std::span<const float> f,
                                                Threads threads)
{
    FLOPSMITH_CHECK(x.size() == f.size());
    return prepared("the residual", threads, [&]() -> Result<std::unique_ptr<Kernel>> {
        return std::unique_ptr<Kernel>(std::make_unique<ResidualKernel>(x, f, threads));
    });
}

Count residualBytesNeeded(const Shape& shape)
{
    return 3 * floatBytes(shape.activations());
}

} // namespace flopsmith::cpu
