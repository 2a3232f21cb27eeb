// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/numbers.h"
#include "core/count/cost_tree.h"
#include "core/mixer/fourier.h"

namespace flopsmith {

/// x is real, so bin d − j of a token is the conjugate of its bin j, and F = ⌊d/2⌋+1 bins suffice:
///   feature_fft  a real FFT of length d per token: T·2.5·d·log2(d)
///   token_fft    a complex FFT of length S per sequence and bin: B·F·5·S·log2(S)
///   real_part    y[k, j] = Re Y[k, j] for j < F; the d − F others are copied,
///                y[k, d−j] = Re Y[−k mod S, j]: T·(d − F) moves
/// The paper counts complex FFTs of all d features, about twice as much. The S tokens of the pass
/// are mixed, whatever came before them.
template <class N>
void addCost(const FourierMixer& /*mixer*/, const Pass<N>& pass, CostTree<N>& tree)
{
    const N t = pass.tokens();
    const N d = pass.dModel;
    const N bins = pass.numbers("F", pass.dModelValue / 2 + 1, "floor(d/2) + 1");
    const N spectrum = N(2) * t * bins;
    tree.operation("feature_fft",
                   OpKind::transform,
                   spectrum,
                   {.count = {.fft = t * pass.numbers.realFft(d, pass.dModelValue)},
                    .traffic = {.read = t * d, .written = spectrum}});
    tree.operation("token_fft",
                   OpKind::transform,
                   spectrum,
                   {.count = {.fft = pass.batch * bins
                                  * pass.numbers.complexFft(pass.sequence, pass.sequenceValue)},
                    .traffic = {.read = spectrum, .written = spectrum}});
    tree.operation(
        "real_part",
        OpKind::elementwise,
        N(t * d),
        {.count = {.move = t * (d - bins)}, .traffic = {.read = t * bins, .written = t * d}});
}

/// The cosine above is symmetric in (k, s) and (j, n), so Fourier mixing is its own transpose:
/// dx = mixer(dy), at the same cost. Nothing is kept for it.
template <class N>
void addBackwardCost(const FourierMixer& mixer, const Pass<N>& pass, CostTree<N>& tree)
{
    addCost(mixer, pass, tree);
}

} // namespace flopsmith
