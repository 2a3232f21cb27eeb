// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/count.h"
#include "core/kernels/cpu/fft/lane_passes.h"

#include <cstddef>

namespace flopsmith::cpu {

/// Real transforms of as many tokens as a register has lanes, each lane its own token: every
/// operation fills the registers, whatever the length, and twiddle factors are the same for all.
/// (FFTW vectorises within one transform, and its usual build knows no wider registers than AVX's.)
///
/// A real transform of length n is a complex one of length n/2 and one pass that takes it apart. Not
/// scaled.
class LaneFft
{
public:
    /// Tokens of one transform.
    static int rows();

    /// Whether the length is even and its half has no prime factors but 2, 3 and 5.
    static bool supports(int length);

    /// Floats of scratch that a transform needs, aligned as a Buffer's.
    static std::size_t scratchSize(int length);

    /// `length` must be supported.
    explicit LaneFft(int length);

    /// x [rows, length] → the first `bins` complex numbers (re, im) of each spectrum, which begin
    /// `stride` floats apart.
    void forward(const float* x,
                 float* spectra,
                 std::size_t stride,
                 std::size_t bins,
                 float* scratch) const;

    /// The inverse: of each spectrum the first `bins` numbers are given, the others are 0.
    void inverse(const float* spectra,
                 std::size_t stride,
                 std::size_t bins,
                 float* y,
                 float* scratch) const;

    /// bytes() at most.
    static Count mostBytes(int length);
    std::size_t bytes() const { return m_passes.bytes() + m_splitting.bytes(); }

private:
    std::size_t m_half; ///< n/2
    LanePasses m_passes;
    Buffer m_splitting; ///< e^(−2πik/n) for k ≤ n/2
};

} // namespace flopsmith::cpu
