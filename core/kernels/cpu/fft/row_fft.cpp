// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/fft/row_fft.h"

#include "core/base/check.h"
#include "core/kernels/cpu/fft/lane_bins.h"
#include "core/kernels/cpu/simd/lane_transpose.h"
#include "core/kernels/cpu/simd/prefetch.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

constexpr std::size_t kWidth = kLanes; // L
constexpr std::size_t kBinsAtOnce = kLanes / 2; // as many complex numbers as fill a register

std::size_t rowsOf(int length)
{
    return static_cast<std::size_t>(length) / kWidth;
}

// Measured: a bin that is summed over the lanes costs about a third of a column with all its bins.
bool fewBins(std::size_t rows, std::size_t bins)
{
    return bins <= 3 * (rows / 2 + 1);
}

std::size_t twiddlesOf(std::size_t rows, std::size_t bins)
{
    return fewBins(rows, bins) ? (bins + kBinsAtOnce - 1) / kBinsAtOnce * kBinsAtOnce
                               : rows / 2 + 1;
}

using LanePairs = std::array<Complex, kLanes>;

void transposePairs(LanePairs& block)
{
    LaneBlock re;
    LaneBlock im;
    for (std::size_t i = 0; i < kWidth; ++i) {
        re[i] = block[i].re;
        im[i] = block[i].im;
    }
    transpose(re);
    transpose(im);
    for (std::size_t i = 0; i < kWidth; ++i) {
        block[i] = {re[i], im[i]};
    }
}

// Blocks of kLanes columns that cover 0 … last; the last one may overlap its neighbour.
template <class Visit>
void forEachBlock(std::size_t last, const Visit& visit)
{
    for (std::size_t first = 0; first + kWidth <= last + 1; first += kWidth) {
        visit(first);
    }
    if ((last + 1) % kWidth != 0) {
        visit(last + 1 - kWidth);
    }
}

} // namespace

bool RowFft::supports(int length)
{
    const std::size_t rows = rowsOf(length);
    return length % (2 * kLanes) == 0 && rows / 2 + 1 >= kWidth && LanePasses::supports(rows / 2);
}

std::size_t RowFft::scratchSize(int length)
{
    return 2 * (static_cast<std::size_t>(length) + kPair);
}

RowFft::RowFft(int length, std::size_t bins)
    : m_rows(rowsOf(length))
    , m_bins(bins)
    , m_few(fewBins(m_rows, bins))
    , m_passes(m_rows / 2)
    , m_splitting(m_rows + 2)
    , m_twiddles(twiddlesOf(m_rows, bins) * kPair)
{
    FLOPSMITH_CHECK(supports(length));
    for (std::size_t k = 0; k <= m_rows / 2; ++k) {
        setRoot(m_splitting.data() + 2 * k, k, m_rows);
    }
    for (std::size_t k = 0; k < twiddlesOf(m_rows, bins); ++k) {
        float* to = m_twiddles.data() + k * kPair;
        for (std::size_t r = 0; r < kWidth; ++r) {
            std::array<float, 2> root{};
            setRoot(root.data(), r * k, static_cast<std::size_t>(length));
            to[r] = root[0];
            to[kWidth + r] = root[1];
        }
    }
}

std::size_t RowFft::columns() const
{
    return m_few ? std::min(m_twiddles.size() / kPair, m_rows / 2 + 1) : m_rows / 2 + 1;
}

// 2Y(k) = (Z_k + Z*_{h−k}) − i·e(k/P)·(Z_k − Z*_{h−k}) and 2Y(h − k) from the same, with h = P/2,
// z_m = x_{2m} + i·x_{2m+1} of the rows m of x, and Z_h = Z_0.
void RowFft::split(const float* z, float* columns) const
{
    const std::size_t half = m_rows / 2;
    const std::size_t wanted = this->columns();
    for (std::size_t k = 0; 2 * k <= half && k < wanted; ++k) {
        const Complex a = loadPair(z + k * kPair);
        const Complex b = conjugate(loadPair(z + (k == 0 ? 0 : half - k) * kPair));
        const float* w = m_splitting.data() + 2 * k;
        const Complex even = a + b;
        const Complex odd = rotated(times(a - b, w[0], w[1]));
        storePair(columns + k * kPair, even + odd);
        if (half - k < wanted) {
            storePair(columns + (half - k) * kPair, conjugate(even - odd));
        }
    }
}

// Z_k = Y(k) + Y*(h − k) + i·e(−k/P)·(Y(k) − Y*(h − k)), and Z_{h−k} from the same. Real and
// imaginary parts are swapped, so that the forward transform of Z is the inverse one.
void RowFft::merge(const float* columns, float* z) const
{
    const std::size_t half = m_rows / 2;
    for (std::size_t k = 0; 2 * k <= half; ++k) {
        const Complex a = loadPair(columns + k * kPair);
        const Complex b = conjugate(loadPair(columns + (half - k) * kPair));
        const float* w = m_splitting.data() + 2 * k;
        const Complex even = a + b;
        const Complex odd = rotated(times(a - b, w[0], -w[1]));
        const Complex low = even - odd;
        const Complex high = even + odd;
        if (k > 0) {
            storePair(z + (half - k) * kPair, {-high.im, high.re});
        }
        storePair(z + k * kPair, {low.im, low.re});
    }
}

void RowFft::sumColumns(const float* columns, float* spectrum) const
{
    const std::size_t half = m_rows / 2;
    std::size_t column = 0; // of bin k
    for (std::size_t first = 0; first < m_twiddles.size() / kPair; first += kBinsAtOnce) {
        LaneBlock block;
        for (std::size_t i = 0; i < kBinsAtOnce; ++i) {
            Complex y = loadPair(columns + (column <= half ? column : m_rows - column) * kPair);
            y = column <= half ? y : conjugate(y);
            const Complex w = loadPair(m_twiddles.data() + (first + i) * kPair);
            const Complex term = times(y, w.re, w.im);
            block[2 * i] = term.re;
            block[2 * i + 1] = term.im;
            column = column + 1 == m_rows ? 0 : column + 1;
        }
        store(spectrum + 2 * first, sumsOf(block) * 0.5F);
    }
}

// Y(c) of the columns c that contain a bin k or its counterpart n − k.
void RowFft::spreadBins(const float* spectrum, float* columns) const
{
    const auto bin = [&](std::size_t k) {
        const Complex w = loadPair(m_twiddles.data() + k * kPair);
        const Lanes re = all(spectrum[2 * k]);
        const Lanes im = all(k == 0 ? 0.0F : spectrum[2 * k + 1]);
        return Complex{re * w.re + im * w.im, im * w.re - re * w.im};
    };
    for (std::size_t column = 0; column <= m_rows / 2; ++column) {
        Complex sum{};
        for (std::size_t k = column; k < m_bins; k += m_rows) {
            sum = sum + bin(k);
        }
        for (std::size_t k = m_rows - column; k < m_bins; k += m_rows) {
            sum = sum + conjugate(bin(k));
        }
        storePair(columns + column * kPair, sum);
    }
}

// Bins c + P·t of kLanes columns c at a time; bins beyond n/2 are conjugates of others.
void RowFft::transformAcrossLanes(const float* columns, float* spectrum) const
{
    forEachBlock(m_rows / 2, [&](std::size_t first) {
        LanePairs block;
        for (std::size_t i = 0; i < kWidth; ++i) {
            const Complex w = loadPair(m_twiddles.data() + (first + i) * kPair);
            block[i] = times(loadPair(columns + (first + i) * kPair), w.re, w.im);
        }
        transposePairs(block);
        dft(block);
        for (std::size_t t = 0; t < kWidth / 2; ++t) {
            storeBins(spectrum + 2 * (first + m_rows * t), block[t] * 0.5F);
        }
        for (std::size_t t = kWidth / 2; t < kWidth; ++t) {
            float* to = spectrum + 2 * (m_rows * (kWidth - t) - first - (kWidth - 1));
            storeBins(to, reversed(conjugate(block[t]) * 0.5F));
        }
    });
}

void RowFft::inverseAcrossLanes(float* spectrum, float* columns) const
{
    const std::size_t end = m_rows * kWidth / 2; // n/2
    std::fill(spectrum + 2 * m_bins, spectrum + 2 * (end + 1), 0.0F);
    spectrum[1] = 0.0F;
    spectrum[2 * end + 1] = 0.0F;
    forEachBlock(m_rows / 2, [&](std::size_t first) {
        LanePairs block; // real and imaginary parts swapped
        for (std::size_t t = 0; t < kWidth / 2; ++t) {
            const Complex z = loadBins(spectrum + 2 * (first + m_rows * t));
            block[t] = {z.im, z.re};
        }
        for (std::size_t t = kWidth / 2; t < kWidth; ++t) {
            const float* from = spectrum + 2 * (m_rows * (kWidth - t) - first - (kWidth - 1));
            const Complex z = reversed(loadBins(from));
            block[t] = {-z.im, z.re};
        }
        dft(block);
        transposePairs(block);
        for (std::size_t i = 0; i < kWidth; ++i) {
            const Complex w = loadPair(m_twiddles.data() + (first + i) * kPair);
            storePair(columns + (first + i) * kPair,
                      times(Complex{block[i].im, block[i].re}, w.re, -w.im));
        }
    });
}

// The passes access x and y with large strides. Measured: prefetching them is worth it while a
// token, its result and the scratch of its transform stay in the first-level cache; and in parts,
// because at most a dozen lines are in flight at once.
bool RowFft::prefetches() const
{
    constexpr std::size_t kMaxRows = 2048 / kWidth;
    return m_rows <= kMaxRows;
}

void RowFft::forward(const float* x, float* spectrum, float* scratch, const float* next) const
{
    const std::size_t third = next != nullptr && prefetches() ? (m_rows + 2) / 3 * kWidth : 0;
    float* const pong = scratch + (m_rows + 2) * kWidth;
    prefetchToRead(next, third);
    const float* z = m_passes.run(x, scratch, pong);
    prefetchToRead(next + third, third);
    float* const columns = z == scratch ? pong : scratch;
    split(z, columns);
    prefetchToRead(next + 2 * third, third);
    if (m_few) {
        sumColumns(columns, spectrum);
    } else {
        transformAcrossLanes(columns, spectrum);
    }
}

// Where y is prefetched, streaming stores take longer.
void RowFft::inverse(float* spectrum, float* y, float* scratch, StoreKind storeKind) const
{
    const std::size_t half = prefetches() ? m_rows / 2 * kWidth : 0;
    float* const pong = scratch + (m_rows + 2) * kWidth;
    prefetchToWrite(y, half);
    if (m_few) {
        spreadBins(spectrum, scratch);
    } else {
        inverseAcrossLanes(spectrum, scratch);
    }
    prefetchToWrite(y + half, half);
    merge(scratch, pong);
    m_passes.runSwapped(pong, scratch, pong, y, prefetches() ? StoreKind::cached : storeKind);
}

} // namespace flopsmith::cpu
