// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/fft/lane_passes.h"

#include <cstddef>

namespace flopsmith::cpu {

/// The real transform of one token, which fills the registers alone and stays in the first-level
/// cache. With L lanes and n = L·P, a token in memory is a matrix [P, L], and a register holds a
/// row of it. For every bin j, with e(t) = e^(−2πit):
///
///   X_j = Σ_r e(r·j/n)·Y_r(j mod P),   Y_r(c) = Σ_m x_{r + L·m}·e(m·c/P).
///
/// Y of all columns r is one real transform of length P in lanes. The sum over r is a sum over the
/// lanes: separate for each bin if few are wanted, otherwise by transforms of length L of blocks
/// that are transposed in registers. Not scaled.
class RowFft
{
public:
    /// Whether the length is a multiple of 2L that leaves a half without prime factors but 2, 3 and
    /// 5, and at least L − 1 rows of that half.
    static bool supports(int length);

    /// Floats of scratch that a transform needs, aligned as a Buffer's.
    static std::size_t scratchSize(int length);

    /// `length` must be supported; only the first `bins` of the n/2 + 1 are computed, and read by
    /// the inverse, for which the others are 0.
    RowFft(int length, std::size_t bins);

    /// x [length] → the first bins (re, im) of spectrum [n/2 + 1]. Others may be written too.
    /// `next`: the next token, to be prefetched, or null.
    void forward(const float* x,
                 float* spectrum,
                 float* scratch,
                 const float* next = nullptr) const;

    /// The given bins of spectrum [n/2 + 1], which is destroyed, → y [length]. The imaginary parts
    /// of bins 0 and n/2 do not matter. With streaming stores y begins at a register's
    /// boundary, and fenceStreamingStores() is up to the caller.
    void inverse(float* spectrum,
                 float* y,
                 float* scratch,
                 StoreKind storeKind = StoreKind::cached) const;

private:
    bool prefetches() const;
    std::size_t columns() const; ///< how many of Y(0) … Y(P/2) are needed
    void split(const float* z, float* columns) const;
    void merge(const float* columns, float* z) const;
    void sumColumns(const float* columns, float* spectrum) const;
    void spreadBins(const float* spectrum, float* columns) const;
    void transformAcrossLanes(const float* columns, float* spectrum) const;
    void inverseAcrossLanes(float* spectrum, float* columns) const;

    std::size_t m_rows; ///< P
    std::size_t m_bins;
    bool m_few; ///< wanted bins
    LanePasses m_passes; ///< of length P/2
    Buffer m_splitting; ///< e(k/P) for k ≤ P/2
    Buffer m_twiddles; ///< e(r·k/n) in lane r: real parts, imaginary parts; per bin or column k
};

} // namespace flopsmith::cpu
