// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/block/elements.cuh"
#include "core/kernels/cuda/ffn/spectral/spectral.h"
#include "core/kernels/cuda/ffn/spectral/spectral_filter.cuh"
#include "core/kernels/cuda/gemm/columns.cuh"
#include "core/kernels/cuda/linear/linear.h"

#include <cmath>
#include <numbers>
#include <vector>

namespace flopsmith::cuda {
namespace {

// cos and sin of 2π·i/d, from which all basis functions are read.
class Twiddles
{
public:
    explicit Twiddles(int d)
    {
        for (int i = 0; i < d; ++i) {
            const double angle = 2.0 * std::numbers::pi * i / d;
            m_cos.push_back(std::cos(angle));
            m_sin.push_back(std::sin(angle));
        }
    }

    double cosine(int bin, int n) const { return m_cos[place(bin, n)]; }
    double sine(int bin, int n) const { return m_sin[place(bin, n)]; }

private:
    std::size_t place(int bin, int n) const
    {
        return static_cast<std::size_t>(bin) * static_cast<std::size_t>(n) % m_cos.size();
    }

    std::vector<double> m_cos;
    std::vector<double> m_sin;
};

// [d, 2k]: X_j = Σ_n x_n·(cos, −sin)(2π·jn/d).
DeviceBuffer<float> analysisBasis(const Device& device, const std::vector<int>& bins, int d)
{
    const Twiddles twiddles(d);
    std::vector<float> basis;
    basis.reserve(2 * bins.size() * static_cast<std::size_t>(d));
    for (int n = 0; n < d; ++n) {
        for (const int bin : bins) {
            basis.push_back(static_cast<float>(twiddles.cosine(bin, n)));
            basis.push_back(static_cast<float>(-twiddles.sine(bin, n)));
        }
    }
    return {device.memory(), basis};
}

// [2k, d]: y_n = Σ_j c_j/d·(cos, −sin)(2π·jn/d)·(re, im) with c = 1 for bins 0 and d/2, whose
// imaginary parts are ignored, else 2.
DeviceBuffer<float> synthesisBasis(const Device& device, const std::vector<int>& bins, int d)
{
    const Twiddles twiddles(d);
    std::vector<float> basis;
    basis.reserve(2 * bins.size() * static_cast<std::size_t>(d));
    for (const int bin : bins) {
        const bool alone = standsAlone(bin, d);
        for (int n = 0; n < d; ++n) {
            basis.push_back(static_cast<float>((alone ? 1.0 : 2.0) / d * twiddles.cosine(bin, n)));
        }
        for (int n = 0; n < d; ++n) {
            basis.push_back(alone ? 0.0F : static_cast<float>(-2.0 / d * twiddles.sine(bin, n)));
        }
    }
    return {device.memory(), basis};
}

// The synthesis basis with the filter folded in, so that it multiplies X instead of w·X:
//   re·(w_re·S_re + w_im·S_im) + im·(w_re·S_im − w_im·S_re)
// This saves a pass over the bins between the products.
struct FilteredBasis
{
    const float* filter; ///< [k, 2]
    const float* synthesis; ///< [2k, d]
    std::int64_t d;
    float* to;

    template <int N>
    __device__ void operator()(std::int64_t bin, std::int64_t column, Width<N>) const
    {
        const float re = filter[2 * bin];
        const float im = filter[2 * bin + 1];
        const std::int64_t at = 2 * bin * d + column;
        const Pack<float, N> ofRe = load<N>(synthesis + at);
        const Pack<float, N> ofIm = load<N>(synthesis + at + d);
        Pack<float, N> first;
        Pack<float, N> second;
        for (int i = 0; i < N; ++i) {
            first.at[i] = fmaf(re, ofRe.at[i], im * ofIm.at[i]);
            second.at[i] = fmaf(re, ofIm.at[i], -im * ofRe.at[i]);
        }
        store<N>(to + at, first);
        store<N>(to + at + d, second);
    }
};

DeviceBuffer<float> filteredBasis(const Device& device,
                                  const DeviceBuffer<float>& synthesis,
                                  DeviceSpan<const float> filter,
                                  int d)
{
    DeviceBuffer<float> basis(device.memory(), synthesis.size());
    forEachElement(device,
                   static_cast<std::int64_t>(filter.size() / 2),
                   d,
                   FilteredBasis{filter.data(), synthesis.data(), d, basis.data()});
    device.wait(); // the caller may free the plain basis
    return basis;
}

class SpectralDirectStage : public Stage
{
public:
    SpectralDirectStage(const SpectralFfn& ffn,
                        const StageSize& size,
                        DeviceSpan<const float> filter,
                        const Device& device)
        : m_size(size)
        , m_width(2 * ffn.kFreq)
        , m_analysis(analysisBasis(device, ffn.candidateBins(size.dModel), size.dModel))
        , m_synthesis(
              filteredBasis(device,
                            synthesisBasis(device, ffn.candidateBins(size.dModel), size.dModel),
                            filter,
                            size.dModel))
        , m_toBins(device, size.dModel, m_width, m_analysis.constSpan())
        , m_toFeatures(device, m_width, size.dModel, m_synthesis.constSpan())
        , m_x(device, static_cast<std::size_t>(size.activations()))
        , m_bins(device, static_cast<std::size_t>(size.tokens * m_width))
    {}

    void run(const float* x, float* y) override
    {
        const Destination bins = m_bins.rows(m_width);
        m_toBins.run(m_x.of(x, m_size.tokens, m_size.dModel), m_size.tokens, bins);
        m_toFeatures.run(bins, m_size.tokens, destinationAt(y, m_size.dModel));
    }

private:
    StageSize m_size;
    int m_width;
    DeviceBuffer<float> m_analysis;
    DeviceBuffer<float> m_synthesis;
    Linear m_toBins;
    Linear m_toFeatures;
    RoundedRows m_x;
    OperandBuffer m_bins;
};

// One thread per bin and part of the tokens: to = conj(w)·G and Σ conj(X)·G. The transposed
// synthesis basis has already applied c/d. partial [parts, k, 2].
template <class To>
__global__ void filterGradients(const cufftComplex* filter,
                                int bins,
                                const cufftComplex* x,
                                const cufftComplex* gradients,
                                To* to,
                                std::int64_t rows,
                                std::int64_t rowsPerPart,
                                float* partial)
{
    const PartOfRows part(rows, rowsPerPart);
    if (part.column >= bins) {
        return;
    }
    const cufftComplex weight = filter[part.column];
    cufftComplex sum = complexOf(0.0F, 0.0F);
    for (std::int64_t row = part.first; row < part.last; ++row) {
        const std::int64_t at = row * bins + part.column;
        const cufftComplex gradient = gradients[at];
        const cufftComplex share = conjugateProduct(x[at], gradient);
        sum.x += share.x;
        sum.y += share.y;
        const cufftComplex back = conjugateProduct(weight, gradient);
        store<2>(to + 2 * at, Pack<float, 2>{{back.x, back.y}});
    }
    const std::int64_t at = static_cast<std::int64_t>(blockIdx.y) * bins + part.column;
    store<2>(partial + 2 * at, Pack<float, 2>{{sum.x, sum.y}});
}

class SpectralDirectBackwardStage : public BackwardStage
{
public:
    SpectralDirectBackwardStage(const SpectralFfn& ffn,
                                const StageSize& size,
                                DeviceSpan<const float> filter,
                                DeviceSpan<float> gradient,
                                const Device& device)
        : m_device(device)
        , m_size(size)
        , m_width(2 * ffn.kFreq)
        , m_filter(filter)
        , m_gradient(gradient)
        , m_analysis(analysisBasis(device, ffn.candidateBins(size.dModel), size.dModel))
        , m_plain(synthesisBasis(device, ffn.candidateBins(size.dModel), size.dModel))
        , m_filtered(filteredBasis(device, m_plain, filter, size.dModel))
        , m_toBins(device, size.dModel, m_width, m_analysis.constSpan())
        , m_synthesis(device, m_width, size.dModel, m_plain.constSpan())
        , m_toFeatures(device, m_width, size.dModel, m_filtered.constSpan())
        , m_rounded(device, static_cast<std::size_t>(size.activations()))
        , m_roundedBins(device, static_cast<std::size_t>(size.tokens * m_width))
        , m_bins(device.memory(), static_cast<std::size_t>(size.tokens * m_width))
        , m_dBins(device.memory(), static_cast<std::size_t>(size.tokens * m_width))
        , m_back(device, static_cast<std::size_t>(size.tokens * m_width))
        , m_parts(device, size.tokens, ffn.kFreq)
        , m_partial(device.memory(), static_cast<std::size_t>(m_parts.count * m_width))
    {}

    void save(const float* x, float* y) override
    {
        const std::int64_t tokens = m_size.tokens;
        m_toBins.run(
            m_rounded.of(x, tokens, m_size.dModel), tokens, destinationAt(m_bins.data(), m_width));
        m_toFeatures.run(m_roundedBins.of(m_bins.data(), tokens, m_width),
                         tokens,
                         destinationAt(y, m_size.dModel));
    }

    void run(const float* dy, float* dx) override
    {
        const std::int64_t tokens = m_size.tokens;
        const int d = m_size.dModel;
        const Destination back = m_back.rows(m_width);
        m_synthesis.productBackward(
            m_rounded.of(dy, tokens, d), tokens, destinationAt(m_dBins.data(), m_width));
        if (back.element == Element::bfloat16) {
            filter(static_cast<__nv_bfloat16*>(back.first));
        } else {
            filter(static_cast<float*>(back.first));
        }
        addParts(m_device, m_partial.data(), m_parts.count, m_width, m_gradient.data());
        m_toBins.productBackward(back, tokens, destinationAt(dx, d));
    }

private:
    template <class To>
    void filter(To* to)
    {
        launch(m_device,
               m_parts.grid(m_width / 2),
               kColumnsPerBlock,
               0,
               &filterGradients<To>,
               reinterpret_cast<const cufftComplex*>(m_filter.data()),
               m_width / 2,
               reinterpret_cast<const cufftComplex*>(m_bins.data()),
               reinterpret_cast<const cufftComplex*>(m_dBins.data()),
               to,
               m_parts.rows,
               m_parts.rowsPerPart,
               m_partial.data());
    }

    const Device& m_device;
    StageSize m_size;
    int m_width; ///< 2k
    DeviceSpan<const float> m_filter;
    DeviceSpan<float> m_gradient;
    DeviceBuffer<float> m_analysis;
    DeviceBuffer<float> m_plain;
    DeviceBuffer<float> m_filtered;
    Linear m_toBins;
    Linear m_synthesis;
    Linear m_toFeatures;
    RoundedRows m_rounded;
    RoundedRows m_roundedBins;
    DeviceBuffer<float> m_bins; ///< X of the last save()
    DeviceBuffer<float> m_dBins;
    OperandBuffer m_back;
    RowParts m_parts;
    DeviceBuffer<float> m_partial;
};

} // namespace

std::unique_ptr<Stage> makeSpectralDirect(const SpectralFfn& ffn,
                                          const StageSize& size,
                                          DeviceSpan<const float> filter,
                                          const Device& device)
{
    return std::make_unique<SpectralDirectStage>(ffn, size, filter, device);
}

std::unique_ptr<BackwardStage> makeSpectralDirectBackward(const SpectralFfn& ffn,
                                                          const StageSize& size,
                                                          DeviceSpan<const float> filter,
                                                          DeviceSpan<float> gradient,
                                                          const Device& device)
{
    return std::make_unique<SpectralDirectBackwardStage>(ffn, size, filter, gradient, device);
}

} // namespace flopsmith::cuda
