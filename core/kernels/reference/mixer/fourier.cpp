// SPDX-License-Identifier: MIT
#include "core/mixer/fourier.h"

#include "core/kernels/reference/dft.h"
#include "core/kernels/reference/instantiate.h"
#include "core/kernels/reference/mixer.h"

#include <numeric>

namespace flopsmith::reference {
namespace {

// One sequence. Only the first ⌊d/2⌋+1 bins are computed: x is real.
template <class S>
void mix(const RealDft& alongFeatures,
         const ComplexDft& alongTokens,
         std::size_t d,
         std::span<const S> x,
         std::span<S> y)
{
    const std::size_t tokens = x.size() / d;
    std::vector<int> bins(d / 2 + 1);
    std::iota(bins.begin(), bins.end(), 0);
    std::vector<std::vector<Bin<S>>> spectra;
    for (std::size_t s = 0; s < tokens; ++s) {
        spectra.push_back(alongFeatures.forward<S>(x.subspan(s * d, d), bins));
    }
    for (std::size_t j = 0; j < bins.size(); ++j) {
        std::vector<Bin<S>> column;
        for (std::size_t s = 0; s < tokens; ++s) {
            column.push_back(spectra[s][j]);
        }
        column = alongTokens.forward<S>(column);
        for (std::size_t k = 0; k < tokens; ++k) {
            y[k * d + j] = column[k].re;
        }
    }
    for (std::size_t k = 0; k < tokens; ++k) {
        noteMoves<S>(d - bins.size());
        for (std::size_t j = bins.size(); j < d; ++j) {
            y[k * d + j] = y[(tokens - k) % tokens * d + (d - j)];
        }
    }
}

} // namespace

template <class S>
void forward(const FourierMixer& /*mixer*/,
             const Shape& shape,
             WeightView<S> /*weights*/,
             std::span<const S> x,
             std::span<const S> /*cachedKeys*/,
             std::span<const S> /*cachedValues*/,
             std::span<S> y)
{
    const RealDft alongFeatures(shape.dModel);
    const ComplexDft alongTokens(shape.sequence);
    const auto d = static_cast<std::size_t>(shape.dModel);
    const std::size_t sequence = static_cast<std::size_t>(shape.sequence) * d;
    for (std::size_t at = 0; at < x.size(); at += sequence) {
        mix<S>(alongFeatures, alongTokens, d, x.subspan(at, sequence), y.subspan(at, sequence));
    }
}

template <class S>
void backward(const FourierMixer& mixer,
              const Shape& shape,
              WeightView<S> weights,
              std::span<const S> /*x*/,
              std::span<const S> dy,
              std::span<S> dx,
              GradientView<S> /*gradients*/)
{
    forward<S>(mixer, shape, weights, dy, {}, {}, dx); // the real part of a 2D DFT is symmetric
}

FLOPSMITH_INSTANTIATE_MIXER(FourierMixer)
FLOPSMITH_INSTANTIATE_BACKWARD(FourierMixer)

} // namespace flopsmith::reference
