// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mixer/fourier.h"

#include "core/kernels/cpu/fft/fft_plan.h"
#include "core/kernels/cpu/mixer.h"
#include "core/kernels/cpu/pass_kernel.h"
#include "core/kernels/cpu/preparation.h"
#include "core/kernels/cpu/simd/buffer.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

// Bins per block, which are transformed together along the tokens: two cache lines of complex
// numbers.
constexpr std::int64_t kColumns = 16;

// Sizes and memory layout of Fourier mixing. The spectra of a sequence are stored in blocks of
// kColumns bins, each [S, kColumns] complex: one thread reads and writes a whole block.
struct FourierLayout
{
    std::int64_t sequences;
    std::int64_t tokens; ///< S
    std::int64_t dModel;
    std::int64_t bins; ///< F
    std::int64_t blocks; ///< per sequence; the last one is padded with zeros
    std::int64_t rows; ///< tokens of one batched transform along the features

    explicit FourierLayout(const Shape& shape)
        : sequences(shape.batch)
        , tokens(shape.sequence)
        , dModel(shape.dModel)
        , bins(shape.dModel / 2 + 1)
        , blocks((bins + kColumns - 1) / kColumns)
        , rows(std::clamp(std::int64_t{2048} / dModel, std::int64_t{1}, std::int64_t{16}))
    {}

    std::size_t blockFloats() const { return static_cast<std::size_t>(2 * tokens * kColumns); }

    std::size_t spectrumFloats() const
    {
        return static_cast<std::size_t>(sequences * blocks) * blockFloats();
    }

    // Scratch of one thread, in whole cache lines: reals [rows, d] and their spectra [rows, F],
    // then a block.
    std::size_t realFloats() const { return lines(static_cast<std::size_t>(rows * dModel)); }
    std::size_t scratchFloats() const
    {
        const std::size_t spectra = lines(static_cast<std::size_t>(2 * rows * bins));
        return std::max(realFloats() + spectra, blockFloats());
    }

    static std::size_t lines(std::size_t count) { return (count + 15) / 16 * 16; }
};

class FourierForward
{
public:
    FourierForward(const Shape& shape,
                   Threads threads,
                   const std::vector<FftPlan>& alongFeatures,
                   const ColumnFftPlan& alongTokens)
        : m_layout(shape)
        , m_threads(threadsFor(threads, 8 * static_cast<std::int64_t>(shape.activations())))
        , m_alongFeatures(alongFeatures)
        , m_alongTokens(alongTokens)
        , m_spectra(m_layout.spectrumFloats())
        , m_scratch(m_layout.scratchFloats() * static_cast<std::size_t>(threads.count))
    {}

    void run(std::span<const float> x, float* y)
    {
        const std::int64_t all = m_layout.sequences * m_layout.tokens;
        shareOut(
            m_threads, (all + m_layout.rows - 1) / m_layout.rows, [&](std::int64_t i, int thread) {
                const std::int64_t first = i * m_layout.rows;
                transformFeatures(
                    x.data(), first, std::min(all, first + m_layout.rows), scratchOf(thread));
            });
        shareOut(m_threads, m_layout.sequences * m_layout.blocks, [&](std::int64_t i, int thread) {
            transformTokens(i / m_layout.blocks, i % m_layout.blocks, scratchOf(thread), y);
        });
    }

private:
    float* block(std::int64_t sequence, std::int64_t index)
    {
        return m_spectra.data()
            + static_cast<std::size_t>(sequence * m_layout.blocks + index) * m_layout.blockFloats();
    }

    float* scratchOf(int thread)
    {
        return m_scratch.data() + static_cast<std::size_t>(thread) * m_layout.scratchFloats();
    }

    // m_layout.rows tokens by the batched plan, the last few tokens one at a time.
    void transformFeatures(const float* x, std::int64_t first, std::int64_t last, float* reals)
    {
        const bool whole = last - first == m_layout.rows;
        const FftPlan& plan = m_alongFeatures[whole ? 0 : 1];
        const std::int64_t step = whole ? m_layout.rows : 1;
        float* spectra = reals + m_layout.realFloats();
        for (std::int64_t t = first; t < last; t += step) {
            std::copy_n(x + t * m_layout.dModel, step * m_layout.dModel, reals);
            plan.forward(reals, spectra);
            for (std::int64_t row = 0; row < step; ++row) {
                intoBlocks(spectra + 2 * row * m_layout.bins, t + row);
            }
        }
    }

    void intoBlocks(const float* spectrum, std::int64_t token)
    {
        const std::int64_t sequence = token / m_layout.tokens;
        const std::int64_t inSequence = token % m_layout.tokens;
        for (std::int64_t i = 0; i < m_layout.blocks; ++i) {
            const std::int64_t bin = i * kColumns;
            std::copy_n(spectrum + 2 * bin,
                        2 * std::min(kColumns, m_layout.bins - bin),
                        block(sequence, i) + 2 * inSequence * kColumns);
        }
    }

    void transformTokens(std::int64_t sequence, std::int64_t index, float* z, float* output)
    {
        const std::int64_t d = m_layout.dModel;
        const std::int64_t first = index * kColumns;
        const std::int64_t count = std::min(kColumns, m_layout.bins - first);
        // The bins with a conjugate bin beyond F: 1 … d − F.
        const std::int64_t mirroredFirst = std::max(first, std::int64_t{1});
        const std::int64_t mirroredLast = std::min(first + count, d - m_layout.bins + 1);
        float* y = output + sequence * m_layout.tokens * d;
        m_alongTokens.run(block(sequence, index), z);
        for (std::int64_t k = 0; k < m_layout.tokens; ++k) {
            const float* from = z + 2 * k * kColumns;
            float* to = y + k * d;
            float* mirrored = y + (k == 0 ? 0 : m_layout.tokens - k) * d;
            for (std::int64_t j = 0; j < count; ++j) {
                to[first + j] = from[2 * j];
            }
            for (std::int64_t j = mirroredFirst; j < mirroredLast; ++j) {
                mirrored[d - j] = from[2 * (j - first)];
            }
        }
    }

    FourierLayout m_layout;
    Threads m_threads;
    std::vector<FftPlan> m_alongFeatures; ///< of m_layout.rows tokens, and of one
    ColumnFftPlan m_alongTokens;
    Buffer m_spectra;
    Buffer m_scratch; ///< per thread
};

// The transform is its own transpose.
class FourierBackward
{
public:
    FourierBackward(FourierForward transform, std::size_t activations)
        : m_transform(std::move(transform))
        , m_activations(activations)
    {}

    void save(std::span<const float> x, float* y)
    {
        if (y != nullptr) {
            m_transform.run(x, y);
        }
    }

    void run(const float* dy, float* dx) { m_transform.run({dy, m_activations}, dx); }

private:
    FourierForward m_transform;
    std::size_t m_activations;
};

Result<FourierForward> planned(const Shape& shape, Threads threads)
{
    std::vector<FftPlan> alongFeatures;
    for (const std::int64_t rows : {FourierLayout(shape).rows, std::int64_t{1}}) {
        FLOPSMITH_TRY(FftPlan plan,
                      FftPlan::create(shape.dModel, static_cast<int>(rows), FftDirection::forward));
        alongFeatures.push_back(plan);
    }
    FLOPSMITH_TRY(const ColumnFftPlan alongTokens,
                  ColumnFftPlan::create(shape.sequence, static_cast<int>(kColumns)));
    return FourierForward(shape, threads, alongFeatures, alongTokens);
}

} // namespace

Result<std::unique_ptr<Kernel>> prepare(const FourierMixer& /*mixer*/,
                                        const Shape& shape,
                                        WeightView<float> /*weights*/,
                                        const MixerInput& input,
                                        Threads threads,
                                        Precision /*precision*/)
{
    const auto make = [&]() -> Result<std::unique_ptr<Kernel>> {
        FLOPSMITH_TRY(FourierForward pass, planned(shape, threads));
        return forwardKernel(std::move(pass), input.x, shape.activations());
    };
    return prepared(FourierMixer::info().title, threads, make);
}

Result<std::unique_ptr<TrainingKernel>> prepareBackward(const FourierMixer& /*mixer*/,
                                                        const Shape& shape,
                                                        WeightView<float> /*weights*/,
                                                        std::span<const float> x,
                                                        std::span<const float> dy,
                                                        Threads threads,
                                                        Precision /*precision*/)
{
    const auto make = [&]() -> Result<std::unique_ptr<TrainingKernel>> {
        FLOPSMITH_TRY(FourierForward pass, planned(shape, threads));
        return backwardKernel(FourierBackward(std::move(pass), shape.activations()),
                              GradientOutput(x.size(), {}),
                              x,
                              dy);
    };
    return prepared<TrainingKernel>(FourierMixer::info().title, threads, make);
}

} // namespace flopsmith::cpu
