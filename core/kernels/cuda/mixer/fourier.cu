// SPDX-License-Identifier: MIT
#include "core/mixer/fourier.h"

#include "core/kernels/cuda/block/elements.cuh"
#include "core/kernels/cuda/device/fft_plan.h"
#include "core/kernels/cuda/mixing.h"

namespace flopsmith::cuda {
namespace {

// y = Re Z. Only bins [0, d/2] are stored: for real input Z_{S−k, d−j} = conj(Z_kj).
struct RealParts
{
    const cufftComplex* spectra; ///< [batch·S, F]
    std::int64_t sequence;
    std::int64_t columns; ///< d
    float* y;

    template <int N>
    __device__ void operator()(std::int64_t row, std::int64_t column, Width<N>) const
    {
        const std::int64_t bins = columns / 2 + 1;
        const std::int64_t k = row % sequence;
        const std::int64_t mirrored = row - k + (k == 0 ? 0 : sequence - k);
        Pack<float, N> values;
        for (int i = 0; i < N; ++i) {
            const std::int64_t j = column + i;
            values.at[i] =
                j < bins ? spectra[row * bins + j].x : spectra[mirrored * bins + columns - j].x;
        }
        store<N>(y + row * columns + column, values);
    }
};

// A 2D FFT: along the features of every token, then in place along the tokens of each sequence.
class FourierTransform
{
public:
    FourierTransform(const Shape& shape, const Device& device)
        : m_device(device)
        , m_batch(shape.batch)
        , m_sequence(shape.sequence)
        , m_columns(shape.dModel)
        , m_bins(shape.dModel / 2 + 1)
        , m_alongFeatures(device.ffts().plan(realRows(m_batch * m_sequence, m_columns)))
        , m_alongTokens(device.ffts().plan({.kind = FftKind::complexToComplex,
                                            .length = m_sequence,
                                            .batch = m_bins,
                                            .inStride = m_bins,
                                            .inDistance = 1,
                                            .outStride = m_bins,
                                            .outDistance = 1}))
        , m_spectra(device.memory(), static_cast<std::size_t>(m_batch * m_sequence * m_bins))
    {}

    void run(const float* x, float* y) const
    {
        m_alongFeatures.toComplex(x, m_spectra.data());
        for (std::int64_t i = 0; i < m_batch; ++i) {
            cufftComplex* sequence = m_spectra.data() + i * m_sequence * m_bins;
            m_alongTokens.forward(sequence, sequence);
        }
        forEachElement(m_device,
                       m_batch * m_sequence,
                       m_columns,
                       RealParts{m_spectra.data(), m_sequence, m_columns, y});
    }

private:
    const Device& m_device;
    std::int64_t m_batch;
    std::int64_t m_sequence;
    std::int64_t m_columns;
    std::int64_t m_bins;
    const FftPlan& m_alongFeatures;
    const FftPlan& m_alongTokens;
    DeviceBuffer<cufftComplex> m_spectra;
};

class FourierMixing : public Mixing
{
public:
    FourierMixing(const Shape& shape, const Device& device)
        : m_transform(shape, device)
    {}

    void run(const MixerOnDevice& input, float* y) override { m_transform.run(input.x, y); }

private:
    FourierTransform m_transform;
};

// The real part of a 2D DFT is symmetric, so the backward pass is the forward transform of dy; it
// needs no saved activations.
class FourierBackward : public BackwardStage
{
public:
    FourierBackward(const Shape& shape, const Device& device)
        : m_transform(shape, device)
    {}

    void save(const float* x, float* y) override { m_transform.run(x, y); }
    void run(const float* dy, float* dx) override { m_transform.run(dy, dx); }

private:
    FourierTransform m_transform;
};

} // namespace

std::unique_ptr<Mixing> makeMixing(const FourierMixer&,
                                   const Shape& shape,
                                   DeviceWeights,
                                   const Device& device)
{
    return std::make_unique<FourierMixing>(shape, device);
}

std::unique_ptr<BackwardStage> makeMixingBackward(const FourierMixer&,
                                                  const Shape& shape,
                                                  DeviceWeights,
                                                  DeviceGradients,
                                                  const Device& device)
{
    return std::make_unique<FourierBackward>(shape, device);
}

} // namespace flopsmith::cuda
