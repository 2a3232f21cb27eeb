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

// The bins of a token that pass the filter; its entries are (re, im) of the candidate bins.
struct Filter
{
    int d;
    int bins;
    const int* entryOfBin; ///< −1: none
    const int* binOfEntry;
    const float2* weights;
    KeptValues chosen; ///< of top_k, else null

    __device__ bool passes(Index row, int bin) const
    {
        return entryOfBin[bin] >= 0 && (chosen.bytes == nullptr || chosen.has(row, bin));
    }

    // The factor 1/d of the inverse transform, which wants real bins without an imaginary part.
    __device__ float2 scaled(int bin, float2 value) const
    {
        const float scale = 1.0F / static_cast<float>(d);
        return {value.x * scale, standsAlone(bin, d) ? 0.0F : value.y * scale};
    }
};

Filter filterOf(Plan& plan, const SpectralFfn& ffn, const FfnInput& in, const float2* spectra)
{
    const int d = in.dModel();
    const int bins = SpectralFfn::bins(d);
    const std::vector<int> candidates = ffn.candidateBins(d);
    std::vector<int> entries(static_cast<std::size_t>(bins), -1);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        entries[static_cast<std::size_t>(candidates[i])] = static_cast<int>(i);
    }
    Filter filter{.d = d,
                  .bins = bins,
                  .entryOfBin = plan.copied(entries),
                  .binOfEntry = plan.copied(candidates),
                  .weights = reinterpret_cast<const float2*>(in.weights[0]->values),
                  .chosen = {}};
    if (ffn.selection == BinSelection::topK) {
        filter.chosen = keptLargest(
            plan, in.x->rows, {{0, bins}, {ffn.kFreq}}, [=] __device__(Index row, int bin) {
                const float2 value = spectra[row * bins + bin];
                return magnitudeKey(fmaf(value.x, value.x, value.y * value.y));
            });
    }
    return filter;
}

struct Transforms
{
    SharedFft toBins;
    SharedFft toFeatures;
};

// dx = irfft(conj(w)·rfft(dy)), and Σ conj(X)·G times c/d, c = 1 for bins 0 and d/2, else 2.
void transformBack(Plan& plan,
                   const Filter& filter,
                   const FfnInput& in,
                   const Tensor* y,
                   const Transforms& ffts,
                   const float2* spectra,
                   float2* changed)
{
    const Index tokens = in.x->rows;
    plan.backward([ffts, y, changed] { ffts.toBins->toComplex(y->gradient, changed); });
    sumIntoGradient(plan, in.weights[0], tokens, [=] __device__(Index row, Index column) {
        const int bin = filter.binOfEntry[column / 2];
        const Index at = row * filter.bins + bin;
        const float2 share = conjugateProduct(spectra[at], changed[at]);
        const float many = standsAlone(bin, filter.d) ? 1.0F : 2.0F;
        const float part = column % 2 == 0 ? share.x : share.y;
        return filter.passes(row, bin) ? many / static_cast<float>(filter.d) * part : 0.0F;
    });
    eachBack(plan, tokens, filter.bins, [=] __device__(Index row, Index column) {
        const auto bin = static_cast<int>(column);
        float2& value = changed[row * filter.bins + bin];
        value = filter.passes(row, bin)
            ? filter.scaled(bin, conjugateProduct(filter.weights[filter.entryOfBin[bin]], value))
            : float2{0.0F, 0.0F};
    });
    const Index d = filter.d;
    float* const back = plan.memory<float>(tokens * d);
    plan.backward([ffts, changed, back] { ffts.toFeatures->toReal(changed, back); });
    addGradient(
        plan, in.x, [=] __device__(Index row, Index column) { return back[row * d + column]; });
}

// Transforms of all tokens, the filter between them.
Tensor* byTransforms(Plan& plan, const SpectralFfn& ffn, const FfnInput& in)
{
    const Index tokens = in.x->rows;
    const int bins = SpectralFfn::bins(in.dModel());
    const Transforms ffts{realRows(plan.device(), tokens, in.dModel()),
                          complexRowsToReal(plan.device(), tokens, in.dModel())};
    auto* const spectra = plan.memory<float2>(tokens * bins);
    auto* const changed = plan.learns() ? plan.memory<float2>(tokens * bins) : spectra;
    Tensor* const y = plan.tensor(tokens, in.dModel());
    plan.forward([ffts, x = in.x, spectra] { ffts.toBins->toComplex(x->values, spectra); });
    const Filter filter = filterOf(plan, ffn, in, spectra);
    each(plan, tokens, bins, [=] __device__(Index row, Index column) {
        const auto bin = static_cast<int>(column);
        const Index at = row * bins + bin;
        changed[at] = filter.passes(row, bin)
            ? filter.scaled(bin, productOf(filter.weights[filter.entryOfBin[bin]], spectra[at]))
            : float2{0.0F, 0.0F};
    });
    plan.forward([ffts, changed, y] { ffts.toFeatures->toReal(changed, y->values); });
    if (plan.learns()) {
        transformBack(plan, filter, in, y, ffts, spectra, changed);
    }
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

// w·X of every bin, [tokens, k, 2].
Tensor* filtered(Plan& plan, Tensor* spectra, Tensor* filter)
{
    Tensor* const y = plan.tensor(spectra->rows, spectra->columns);
    const Index bins = spectra->columns / 2;
    const auto* const x = reinterpret_cast<const float2*>(spectra->values);
    const auto* const w = reinterpret_cast<const float2*>(filter->values);
    const auto* const dy = reinterpret_cast<const float2*>(y->gradient);
    fill(plan, y, [=] __device__(Index row, Index column) {
        const float2 value = productOf(w[column / 2], x[row * bins + column / 2]);
        return column % 2 == 0 ? value.x : value.y;
    });
    addGradient(plan, spectra, [=] __device__(Index row, Index column) {
        const float2 value = conjugateProduct(w[column / 2], dy[row * bins + column / 2]);
        return column % 2 == 0 ? value.x : value.y;
    });
    sumIntoGradient(plan, filter, spectra->rows, [=] __device__(Index row, Index column) {
        const Index at = row * bins + column / 2;
        const float2 value = conjugateProduct(x[at], dy[at]);
        return column % 2 == 0 ? value.x : value.y;
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
    Tensor* const kept = filtered(plan, spectra, in.weights[0]);
    return linear(plan, kept, d, plan.constant(basis(bins, d, true), d));
}

} // namespace

Tensor* planFfn(Plan& plan, const SpectralFfn& ffn, const FfnInput& in)
{
    const bool direct = ffn.algorithmFor(in.dModel()) == SpectralAlgorithm::direct;
    Tensor* const y = direct ? byProducts(plan, ffn, in) : byTransforms(plan, ffn, in);
    return activated(plan, ffn.activation, y);
}

} // namespace flopsmith::cuda
