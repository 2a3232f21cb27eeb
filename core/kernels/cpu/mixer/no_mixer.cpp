// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/mixer.h"
#include "core/kernels/cpu/preparation.h"
#include "core/kernels/cpu/simd/buffer.h"

namespace flopsmith::cpu {
namespace {

// Adds nothing to the residual stream.
class NoMixerKernel : public Kernel
{
public:
    NoMixerKernel(std::size_t size, Threads threads)
        : m_y(size)
        , m_threads(threads)
    {}

    void run() override
    {
        const Threads busy = worthwhile(m_threads, static_cast<std::int64_t>(m_y.size()));
        onThreads(busy, [this, busy](int part) {
            const Range mine = partOf(static_cast<std::int64_t>(m_y.size()), busy.count, part);
            std::fill(m_y.data() + mine.first, m_y.data() + mine.last, 0.0F);
        });
    }

    std::span<const float> output() const override { return m_y.span(); }

private:
    Buffer m_y;
    Threads m_threads;
};

} // namespace

Result<std::unique_ptr<Kernel>> prepare(const NoMixer& /*mixer*/,
                                        const Shape& shape,
                                        WeightView<float> /*weights*/,
                                        const MixerInput& /*input*/,
                                        Threads threads,
                                        Precision /*precision*/)
{
    return prepared(NoMixer::info().title, threads, [&]() -> Result<std::unique_ptr<Kernel>> {
        return std::unique_ptr<Kernel>(
            std::make_unique<NoMixerKernel>(shape.activations(), threads));
    });
}

Result<std::unique_ptr<Kernel>> prepareBackward(const NoMixer& mixer,
                                                const Shape& shape,
                                                WeightView<float> weights,
                                                std::span<const float> x,
                                                std::span<const float> /*dy*/,
                                                Threads threads,
                                                Precision precision)
{
    return prepare(
        mixer, shape, weights, {.x = x, .cachedKeys = {}, .cachedValues = {}}, threads, precision);
}

} // namespace flopsmith::cpu
