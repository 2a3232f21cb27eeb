// SPDX-License-Identifier: MIT
#include "core/kernels/reference/activation.h"
#include "core/kernels/reference/dft.h"
#include "core/kernels/reference/ffn.h"
#include "core/kernels/reference/instantiate.h"
#include "core/kernels/reference/linear.h"
#include "core/kernels/reference/selection.h"

#include <numeric>

namespace flopsmith::reference {
namespace {

// w·X: 4 multiplications, 2 additions.
template <class S>
Bin<S> filtered(const Bin<S>& bin, const S& wRe, const S& wIm)
{
    return {wRe * bin.re - wIm * bin.im, wRe * bin.im + wIm * bin.re};
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

// One token by transforms. The filter has an entry per candidate bin: those that are kept, or
// for top_k all of them.
template <class S>
void filterToken(const SpectralFfn& ffn,
                 const RealDft& dft,
                 const std::vector<int>& candidates,
                 const std::vector<S>& filter,
                 std::span<const S> x,
                 std::span<S> y)
{
    const std::vector<Bin<S>> spectrum = dft.forward<S>(x, candidates);
    std::vector<int> keptEntries(candidates.size());
    std::iota(keptEntries.begin(), keptEntries.end(), 0);
    if (ffn.selection == BinSelection::topK) {
        keptEntries = strongestBins(spectrum, ffn.kFreq);
    }
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

FLOPSMITH_INSTANTIATE_FFN(SpectralFfn)

} // namespace flopsmith::reference
