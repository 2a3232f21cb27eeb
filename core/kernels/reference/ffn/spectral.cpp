// SPDX-License-Identifier: MIT
#include "core/ffn/spectral.h"

#include "core/kernels/reference/activation.h"
#include "core/kernels/reference/dft.h"
#include "core/kernels/reference/ffn.h"
#include "core/kernels/reference/instantiate.h"
#include "core/kernels/reference/linear.h"
#include "core/kernels/reference/selection.h"

#include <algorithm>
#include <numeric>

namespace flopsmith::reference {
namespace {

// w·X: 4 multiplications, 2 additions.
template <class S>
Bin<S> filtered(const Bin<S>& bin, const S& wRe, const S& wIm)
{
    return {wRe * bin.re - wIm * bin.im, wRe * bin.im + wIm * bin.re};
}

// conj(a)·b: 4 multiplications, 2 additions.
template <class S>
Bin<S> conjugateProduct(const Bin<S>& a, const Bin<S>& b)
{
    return {a.re * b.re + a.im * b.im, a.re * b.im - a.im * b.re};
}

// The bins of largest |X|²: 2 multiplications and 1 addition per bin, and a nominal selection.
template <class S>
std::vector<int> strongestBins(const std::vector<Bin<S>>& spectrum, int count)
{
    std::vector<double> power;
    power.reserve(spectrum.size());
    for (const Bin<S>& bin : spectrum) {
        power.push_back(valueOf(bin.re * bin.re + bin.im * bin.im));
    }
    noteSelection<S>(spectrum.size());
    return largest(power, count);
}

// The entries of the filter that a token uses.
template <class S>
std::vector<int> chosenEntries(const SpectralFfn& ffn, const std::vector<Bin<S>>& spectrum)
{
    if (ffn.selection == BinSelection::topK) {
        return strongestBins(spectrum, ffn.kFreq);
    }
    std::vector<int> all(spectrum.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
}

// One token by FFT. The filter has an entry per candidate bin: the kept bins, or all bins for
// top_k.
template <class S>
void filterToken(const SpectralFfn& ffn,
                 const RealDft& dft,
                 const std::vector<int>& candidates,
                 const std::vector<S>& filter,
                 std::span<const S> x,
                 std::span<S> y)
{
    const std::vector<Bin<S>> spectrum = dft.forward<S>(x, candidates);
    const std::vector<int> keptEntries = chosenEntries(ffn, spectrum);
    std::vector<int> bins;
    std::vector<Bin<S>> products;
    for (const int entry : keptEntries) {
        bins.push_back(candidates[entry]);
        products.push_back(filtered(spectrum[entry], filter[2 * entry], filter[2 * entry + 1]));
    }
    if (ffn.selection != BinSelection::lowPass) {
        noteMoves<S>(4 * keptEntries.size()); // a complex number in and one out
    }
    dft.inverse<S>(products, bins, y);
}

// All tokens by products with the kept basis functions.
template <class S>
void filterDirectly(const RealDft& dft,
                    const std::vector<int>& bins,
                    std::size_t tokens,
                    const std::vector<S>& filter,
                    std::span<const S> x,
                    std::span<S> y)
{
    const std::size_t width = 2 * bins.size();
    std::vector<S> spectrum(tokens * width);
    linear<S>(tokens, x, dft.analysisBasis<S>(bins), nullptr, spectrum);
    for (std::size_t i = 0; i < spectrum.size(); i += 2) {
        const std::size_t entry = i % width;
        const Bin<S> product =
            filtered<S>({spectrum[i], spectrum[i + 1]}, filter[entry], filter[entry + 1]);
        spectrum[i] = product.re;
        spectrum[i + 1] = product.im;
    }
    linear<S>(tokens, spectrum, dft.synthesisBasis<S>(bins), nullptr, y);
}

// Adds a token's conj(X)·G to the gradient of the filter and overwrites G with conj(w)·G.
template <class S>
void filterBackward(const std::vector<S>& filter,
                    int entry,
                    const Bin<S>& kept,
                    Bin<S>& gradient,
                    bool first,
                    std::vector<S>& dFilter)
{
    const Bin<S> share = conjugateProduct(kept, gradient);
    accumulate(dFilter[2 * entry], share.re, first);
    accumulate(dFilter[2 * entry + 1], share.im, first);
    gradient = conjugateProduct<S>({filter[2 * entry], filter[2 * entry + 1]}, gradient);
}

// All tokens by transforms: dx = irfft(conj(w)·rfft(dy)), the adjoint of a circular convolution.
template <class S>
void transformBackward(const SpectralFfn& ffn,
                       const RealDft& dft,
                       const std::vector<int>& candidates,
                       const std::vector<S>& filter,
                       std::span<const S> x,
                       std::span<const S> dy,
                       std::span<S> dx,
                       std::vector<S>& dFilter)
{
    const std::size_t d = dft.length();
    const bool topK = ffn.selection == BinSelection::topK;
    std::fill(dFilter.begin(), dFilter.end(), S(0));
    for (std::size_t from = 0; from < x.size(); from += d) {
        std::vector<Bin<S>> spectrum;
        std::vector<int> entries;
        {
            const Uncounted scope;
            spectrum = dft.forward<S>(x.subspan(from, d), candidates);
            entries = chosenEntries(ffn, spectrum);
        }
        std::vector<int> bins;
        for (const int entry : entries) {
            bins.push_back(candidates[entry]);
        }
        std::vector<Bin<S>> gradients = dft.forward<S>(dy.subspan(from, d), bins);
        if (ffn.selection != BinSelection::lowPass) {
            noteMoves<S>(4 * bins.size());
        }
        for (std::size_t i = 0; i < bins.size(); ++i) {
            filterBackward(filter,
                           entries[i],
                           spectrum[entries[i]],
                           gradients[i],
                           !topK && from == 0,
                           dFilter);
        }
        dft.inverse<S>(gradients, bins, dx.subspan(from, d));
    }
    for (std::size_t i = 0; i < dFilter.size(); ++i) {
        dFilter[i] *= S(dft.realShare(candidates[i / 2]));
    }
}

template <class S>
std::vector<S> transposed(const std::vector<S>& matrix, std::size_t columns)
{
    std::vector<S> result;
    for (std::size_t column = 0; column < columns; ++column) {
        for (std::size_t i = column; i < matrix.size(); i += columns) {
            result.push_back(matrix[i]);
        }
    }
    return result;
}

// All tokens by products with the transposed bases.
template <class S>
void directBackward(const RealDft& dft,
                    const std::vector<int>& bins,
                    const std::vector<S>& filter,
                    std::span<const S> x,
                    std::span<const S> dy,
                    std::span<S> dx,
                    std::vector<S>& dFilter)
{
    const std::size_t tokens = x.size() / dft.length();
    const std::size_t width = 2 * bins.size();
    const std::vector<S> analysis = dft.analysisBasis<S>(bins);
    std::vector<S> spectrum(tokens * width);
    {
        const Uncounted scope;
        linear<S>(tokens, x, analysis, nullptr, spectrum);
    }
    std::vector<S> gradients(tokens * width);
    linear<S>(
        tokens, dy, transposed(dft.synthesisBasis<S>(bins), dft.length()), nullptr, gradients);
    for (std::size_t i = 0; i < gradients.size(); i += 2) {
        Bin<S> gradient{gradients[i], gradients[i + 1]};
        filterBackward<S>(filter,
                          static_cast<int>(i % width / 2),
                          {spectrum[i], spectrum[i + 1]},
                          gradient,
                          i < width,
                          dFilter);
        gradients[i] = gradient.re;
        gradients[i + 1] = gradient.im;
    }
    linear<S>(tokens, gradients, transposed(analysis, width), nullptr, dx);
}

} // namespace

template <class S>
void forward(const SpectralFfn& ffn,
             const Shape& shape,
             WeightView<S> weights,
             std::span<const S> x,
             std::span<S> y)
{
    const auto d = static_cast<std::size_t>(shape.dModel);
    const RealDft dft(shape.dModel);
    const std::vector<int> candidates = ffn.candidateBins(shape.dModel);
    if (ffn.algorithmFor(shape.dModel) == SpectralAlgorithm::direct) {
        filterDirectly<S>(dft, candidates, shape.tokens(), weights[0], x, y);
    } else {
        for (std::size_t t = 0; t < shape.tokens(); ++t) {
            filterToken<S>(
                ffn, dft, candidates, weights[0], x.subspan(t * d, d), y.subspan(t * d, d));
        }
    }
    activate<S>(ffn.activation, y);
}

template <class S>
void backward(const SpectralFfn& ffn,
              const Shape& shape,
              WeightView<S> weights,
              std::span<const S> x,
              std::span<const S> dy,
              std::span<S> dx,
              GradientView<S> gradients)
{
    std::vector<S> dBefore(dy.begin(), dy.end());
    if (ffn.activation != Activation::none) {
        std::vector<S> before(x.size());
        {
            const Uncounted scope;
            SpectralFfn linearPart = ffn;
            linearPart.activation = Activation::none;
            forward<S>(linearPart, shape, weights, x, before);
        }
        activateBackward<S>(ffn.activation, before, dBefore);
    }
    const RealDft dft(shape.dModel);
    const std::vector<int> candidates = ffn.candidateBins(shape.dModel);
    if (ffn.algorithmFor(shape.dModel) == SpectralAlgorithm::direct) {
        directBackward<S>(dft, candidates, weights[0], x, dBefore, dx, gradients[0]);
    } else {
        transformBackward<S>(ffn, dft, candidates, weights[0], x, dBefore, dx, gradients[0]);
    }
}

FLOPSMITH_INSTANTIATE_FFN(SpectralFfn)
FLOPSMITH_INSTANTIATE_FFN_BACKWARD(SpectralFfn)

} // namespace flopsmith::reference
