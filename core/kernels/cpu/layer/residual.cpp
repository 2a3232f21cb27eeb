// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/layer.h"
#include "core/kernels/cpu/preparation.h"
#include "core/kernels/cpu/simd/buffer.h"

namespace flopsmith::cpu {
namespace {

class ResidualKernel : public Kernel
{
public:
    ResidualKernel(const Residual& residual,
                   std::span<const float> x,
                   std::span<const float> f,
                   std::span<const float> g,
                   Threads threads)
        : m_residual(residual)
        , m_x(x)
        , m_f(f)
        , m_g(g)
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
            add(mine);
        });
    }

    std::span<const float> output() const override { return m_sum.span(); }

private:
    void add(Range mine)
    {
        const float* x = m_x.data();
        const float* f = m_f.data();
        const float* g = m_g.data();
        float* sum = m_sum.data();
        const float scale = m_residual.scale ? static_cast<float>(kResidualScale) : 1.0F;
        if (m_residual.branches > 1) {
            for (std::int64_t i = mine.first; i < mine.last; ++i) {
                sum[i] = x[i] + scale * (f[i] + g[i]);
            }
        } else if (m_residual.scale) {
            for (std::int64_t i = mine.first; i < mine.last; ++i) {
                sum[i] = x[i] + scale * f[i];
            }
        } else {
            for (std::int64_t i = mine.first; i < mine.last; ++i) {
                sum[i] = x[i] + f[i];
            }
        }
    }

    Residual m_residual;
    std::span<const float> m_x;
    std::span<const float> m_f;
    std::span<const float> m_g; ///< empty if there is one branch
    Threads m_threads;
    Buffer m_sum;
};

} // namespace

Result<std::unique_ptr<Kernel>> prepareResidual(std::span<const float> x,
                                                std::span<const float> f,
                                                Threads threads)
{
    return prepareResidual(Residual{}, x, f, {}, threads);
}

Result<std::unique_ptr<Kernel>> prepareResidual(const Residual& residual,
                                                std::span<const float> x,
                                                std::span<const float> f,
                                                std::span<const float> g,
                                                Threads threads)
{
    FLOPSMITH_CHECK(x.size() == f.size());
    FLOPSMITH_CHECK(g.size() == (residual.branches > 1 ? x.size() : 0));
    return prepared("the residual", threads, [&]() -> Result<std::unique_ptr<Kernel>> {
        return std::unique_ptr<Kernel>(
            std::make_unique<ResidualKernel>(residual, x, f, g, threads));
    });
}

} // namespace flopsmith::cpu
