// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mixer/no_mixer.h"

#include "core/kernels/cpu/mixer.h"
#include "core/kernels/cpu/pass_kernel.h"
#include "core/kernels/cpu/preparation.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

// Adds nothing to the residual stream.
class NoMixerForward
{
public:
    NoMixerForward(const Shape& shape, Threads threads)
        : m_size(static_cast<std::int64_t>(shape.activations()))
        , m_threads(threadsFor(threads, m_size))
    {}

    void run(const MixerInput& /*input*/, float* y) const
    {
        onThreads(m_threads, [&](int part) {
            const Range mine = partOf(m_size, m_threads.count, part);
            std::fill(y + mine.first, y + mine.last, 0.0F);
        });
    }

private:
    std::int64_t m_size;
    Threads m_threads; ///< as many as are worth waking
};

// Nothing comes back either.
class NoMixerBackward
{
public:
    NoMixerBackward(const Shape& shape, Threads threads)
        : m_zeros(shape, threads)
    {}

    void save(std::span<const float> /*x*/, float* y) const
    {
        if (y != nullptr) {
            m_zeros.run({}, y);
        }
    }

    void run(const float* /*dy*/, float* dx) const { m_zeros.run({}, dx); }

private:
    NoMixerForward m_zeros;
};

} // namespace

Result<std::unique_ptr<Kernel>> prepare(const NoMixer& /*mixer*/,
                                        const Shape& shape,
                                        WeightView<float> /*weights*/,
                                        const MixerInput& input,
                                        Threads threads,
                                        Precision /*precision*/)
{
    return prepared(NoMixer::info().title, threads, [&] {
        return forwardKernel(NoMixerForward(shape, threads), input, shape.activations());
    });
}

Result<std::unique_ptr<TrainingKernel>> prepareBackward(const NoMixer& /*mixer*/,
                                                        const Shape& shape,
                                                        WeightView<float> /*weights*/,
                                                        std::span<const float> x,
                                                        std::span<const float> dy,
                                                        Threads threads,
                                                        Precision /*precision*/)
{
    return prepared<TrainingKernel>(NoMixer::info().title, threads, [&] {
        return backwardKernel(NoMixerBackward(shape, threads), GradientOutput(x.size(), {}), x, dy);
    });
}

} // namespace flopsmith::cpu
