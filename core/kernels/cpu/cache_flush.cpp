// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/cache_flush.h"

#include "core/kernels/cpu/preparation.h"
#include "core/kernels/cpu/simd/buffer.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

class CacheFlush : public Kernel
{
public:
    CacheFlush(std::size_t bytes, Threads threads)
        : m_threads(threads)
        , m_values(wholeLines(bytes / sizeof(float)))
    {}

    void run() override
    {
        m_round += 1.0F;
        onThreads(m_threads, [this](int thread) {
            constexpr std::int64_t kLine = 16; // floats
            const Range mine =
                partOf(static_cast<std::int64_t>(m_values.size()), m_threads.count, thread, kLine);
            // Reads too: long runs of writes alone may bypass the caches.
            for (std::int64_t i = mine.first; i < mine.last; ++i) {
                m_values.data()[i] += m_round;
            }
        });
    }

    std::span<const float> output() const override { return m_values.span(); }

private:
    Threads m_threads;
    Buffer m_values;
    float m_round = 0.0F;
};

} // namespace

Result<std::unique_ptr<Kernel>> prepareCacheFlush(std::size_t bytes, Threads threads)
{
    return prepared("the cache flush", threads, [&]() -> Result<std::unique_ptr<Kernel>> {
        return std::unique_ptr<Kernel>(std::make_unique<CacheFlush>(bytes, threads));
    });
}

std::size_t flushBytes(std::size_t privateBytes, std::size_t sharedBytes, Threads threads)
{
    constexpr std::size_t kMin = std::size_t{64} << 20;
    const std::size_t all = privateBytes * static_cast<std::size_t>(threads.count);
    return std::max(kMin, 2 * std::max(all, sharedBytes));
}

} // namespace flopsmith::cpu
