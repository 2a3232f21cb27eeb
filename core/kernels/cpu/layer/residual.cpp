// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/layer.h"
#include "core/kernels/cpu/pass_kernel.h"
#include "core/kernels/cpu/preparation.h"

namespace flopsmith::cpu {
namespace {

struct Summands
{
    std::span<const float> x;
    std::span<const float> f;
    std::span<const float> g; ///< empty if there is one branch
};

class ResidualSum
{
public:
    ResidualSum(const Residual& residual, std::size_t size, Threads threads)
        : m_residual(residual)
        , m_size(static_cast<std::int64_t>(size))
        , m_threads(threadsFor(threads, m_size))
    {}

    void run(const Summands& summands, float* sum) const
    {
        onThreads(m_threads, [&](int part) {
            constexpr std::int64_t kCacheLine = 16;
            add(summands, partOf(m_size, m_threads.count, part, kCacheLine), sum);
        });
    }

private:
    void add(const Summands& summands, Range mine, float* sum) const
    {
        const float* x = summands.x.data();
        const float* f = summands.f.data();
        const float* g = summands.g.data();
        const float scale = m_residual.scale ? static_cast<float>(m_residual.factor) : 1.0F;
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
    std::int64_t m_size;
    Threads m_threads; ///< as many as are worth waking
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
    return prepared("the residual", threads, [&] {
        return forwardKernel(ResidualSum(residual, x.size(), threads), Summands{x, f, g}, x.size());
    });
}

} // namespace flopsmith::cpu
