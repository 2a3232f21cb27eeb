// SPDX-License-Identifier: MIT
#include "core/ffn/spectral.h"

#include "core/kernels/cuda/device/fft_plan.h"
#include "core/kernels/cuda/plan/choice.cuh"
#include "core/kernels/cuda/plan/operations.h"
#include "core/kernels/cuda/planned.h"

#include <cmath>
#include <numbers>

namespace flopsmith::cuda {
namespace {

// a·b or conj(a)·b.
__device__ float2 productOf(float2 a, float2 b)
{
    return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
__device__ float2 conjugateProduct(float2 a, float2 b)
{
    return {a.x * b.x + a.y * b.y, a.x * b.y - a.y * b.x};
}

// Whether a bin is real and has no conjugate partner.
__host__ __device__ bool standsAlone(int bin, int d)
{
    return bin == 0 || 2 * bin == d;
}

float2* pairs(float* values)
{
    return reinterpret_cast<float2*>(values);
}

// The real FFT of every token and its inverse: rows [tokens, d], bins [tokens, d/2 + 1].
struct TokenFft
{
    const Device& device;
    Index tokens;
    Index d;
    float2* work; ///< bins that are read once
    FftPlan toBins{device, FftKind::realRows, d, tokens};
    FftPlan toRows{device, FftKind::binsToRealRows, d, tokens};

    // rows = scale·Σ_j Re(X_j·e^{2πi·jn/d}), where bins with a conjugate partner count `ofPair` times.
    // The inverse transform counts them twice, and wants real bins without an imaginary part.
    void sum(const float2* spectra, float scale, float ofPair, float* rows) const
    {
        const auto features = static_cast<int>(d);
        const Index bins = d / 2 + 1;
        float2* const to = work;
        forEach(device, tokens, bins, [=] __device__(Index row, Index bin) {
            const bool alone = standsAlone(static_cast<int>(bin), features);
            const float2 value = spectra[row * bins + bin];
            const float factor = alone ? scale : 0.5F * ofPair * scale;
            to[row * bins + bin] = {factor * value.x, alone ? 0.0F : factor * value.y};
        });
        toRows.toRows(to, rows);
    }
};
using SharedFft = std::shared_ptr<const TokenFft>;

// X = rfft(x), [tokens, d/2 + 1, 2].
Tensor* spectrumOf(Plan& plan, const SharedFft& fft, Tensor* x)
{
    const Index d = x->columns;
    Tensor* const y = plan.tensor(x->rows, 2 * (d / 2 + 1));
    plan.forward([=] { fft->toBins.toBins(x->values, pairs(y->values)); });
    float* const back = plan.memory<float>(plan.learns() ? x->elements() : 0);
    plan.backward([=] { fft->sum(pairs(y->gradient), 1.0F, 1.0F, back); });
    addGradient(
        plan, x, [=] __device__(Index row, Index column) { return back[row * d + column]; });
    return y;
}

// x = irfft(X), [tokens, d]
Tensor* featuresOf(Plan& plan, const SharedFft& fft, Tensor* spectra)
{
    const auto d = static_cast<int>(fft->d);
    const float scale = 1.0F / static_cast<float>(d);
    const Index bins = spectra->columns / 2;
    const float2* const back = fft->work;
    Tensor* const y = plan.tensor(spectra->rows, d);
    plan.forward([=] { fft->sum(pairs(spectra->values), scale, 2.0F, y->values); });
    plan.backward([=] { fft->toBins.toBins(y->gradient, fft->work); });
    addGradient(plan, spectra, [=] __device__(Index row, Index i) {
        const float2 value = back[row * bins + i / 2];
        const float many = standsAlone(static_cast<int>(i / 2), d) ? 1.0F : 2.0F;
        return scale * many * (i % 2 == 0 ? value.x : value.y);
    });
    return y;
}

// [d, 2k]: X_j = Σ_n x_n·(cos, −sin)(2π·jn/d). As [2k, d] and times c/d, c = 1 for bins 0 and d/2,
// whose imaginary parts are ignored, else 2, it leads back.
std::vector<float> basis(const std::vector<int>& bins, int d, bool back)
{
    const std::size_t width = 2 * bins.size();
    std::vector<float> values(width * static_cast<std::size_t>(d));
    for (std::size_t i = 0; i < width; ++i) {
        const int bin = bins[i / 2];
        const bool sine = i % 2 == 1;
        const double many = standsAlone(bin, d) ? (sine ? 0.0 : 1.0) : 2.0;
        for (int n = 0; n < d; ++n) {
            const double angle = 2.0 * std::numbers::pi * static_cast<double>(Index{bin} * n % d)
                / static_cast<double>(d);
            const double value = sine ? -std::sin(angle) : std::cos(angle);
            const auto feature = static_cast<std::size_t>(n);
            values[back ? i * static_cast<std::size_t>(d) + feature : feature * width + i] =
                static_cast<float>(back ? many / d * value : value);
        }
    }
    return values;
}

// w·X of the bins that are kept, 0 of the others.
Tensor* filtered(Plan& plan, Tensor* spectra, Tensor* weights, const KeptValues& kept)
{
    Tensor* const y = plan.tensor(spectra->rows, spectra->columns);
    const Index bins = spectra->columns / 2;
    const float2* const x = pairs(spectra->values);
    const float2* const w = pairs(weights->values);
    const float2* const dy = pairs(y->gradient);
    const auto partOf = [=] __device__(Index row, Index i, float2 value) {
        return kept.has(row, i / 2) ? (i % 2 == 0 ? value.x : value.y) : 0.0F;
    };
    fill(plan, y, [=] __device__(Index row, Index i) {
        return partOf(row, i, productOf(w[i / 2], x[row * bins + i / 2]));
    });
    addGradient(plan, spectra, [=] __device__(Index row, Index i) {
        return partOf(row, i, conjugateProduct(w[i / 2], dy[row * bins + i / 2]));
    });
    sumIntoGradient(plan, weights, spectra->rows, [=] __device__(Index row, Index i) {
        const Index at = row * bins + i / 2;
        return partOf(row, i, conjugateProduct(x[at], dy[at]));
    });
    return y;
}

// Products with the basis functions of the kept bins.
Tensor* byProducts(Plan& plan, const SpectralFfn& ffn, const FfnInput& in)
{
    const int d = in.dModel();
    const std::vector<int> bins = ffn.candidateBins(d);
    const auto width = static_cast<Index>(2 * bins.size());
    Tensor* const spectra = linear(plan, in.x, width, plan.constant(basis(bins, d, false), width));
    Tensor* const kept = filtered(plan, spectra, in.weights[0], {});
    return linear(plan, kept, d, plan.constant(basis(bins, d, true), d));
}

Tensor* byTransforms(Plan& plan, const SpectralFfn& ffn, const FfnInput& in)
{
    const Index tokens = in.x->rows;
    const int d = in.dModel();
    const int bins = SpectralFfn::bins(d);
    const SharedFft fft(new TokenFft{plan.device(), tokens, d, plan.memory<float2>(tokens * bins)});
    Tensor* const spectra = spectrumOf(plan, fft, in.x);
    std::vector<Index> places;
    for (const Index bin : ffn.candidateBins(d)) {
        places.insert(places.end(), {2 * bin, 2 * bin + 1});
    }
    KeptValues kept;
    if (ffn.selection == BinSelection::topK) {
        const float2* const x = pairs(spectra->values);
        const auto key = [=] __device__(Index row, int bin) {
            const float2 value = x[row * bins + bin];
            return magnitudeKey(fmaf(value.x, value.x, value.y * value.y));
        };
        kept = keptLargest(plan, tokens, {{0, bins}, {ffn.kFreq}}, key);
    }
    Tensor* const weights = scattered(plan, in.weights[0], places, 1, 2 * bins);
    return featuresOf(plan, fft, filtered(plan, spectra, weights, kept));
}

} // namespace

Tensor* planFfn(Plan& plan, const SpectralFfn& ffn, const FfnInput& in)
{
    const bool direct = ffn.algorithmFor(in.dModel()) == SpectralAlgorithm::direct;
    Tensor* const y = direct ? byProducts(plan, ffn, in) : byTransforms(plan, ffn, in);
    return activated(plan, ffn.activation, y);
}

} // namespace flopsmith::cuda
