// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/fft/lane_fft.h"

#include "core/base/check.h"
#include "core/kernels/cpu/fft/lane_butterflies.h"
#include "core/kernels/cpu/simd/lane_transpose.h"

namespace flopsmith::cpu {

int LaneFft::rows()
{
    return kLanes;
}

bool LaneFft::supports(int length)
{
    return length >= 4 && length % 2 == 0
        && LanePasses::supports(static_cast<std::size_t>(length) / 2);
}

std::size_t LaneFft::scratchSize(int length)
{
    return 2 * kLanes * (static_cast<std::size_t>(length) + 2);
}

Count LaneFft::mostBytes(int length)
{
    // A pass over transforms of m numbers has less than 2m floats, and m halves at least; then
    // there are n/2 + 1 splitting factors.
    return Count{sizeof(float)} * (Count{3} * length + 2);
}

LaneFft::LaneFft(int length)
    : m_half(static_cast<std::size_t>(length) / 2)
    , m_passes(m_half)
    , m_splitting(2 * (m_half + 1))
{
    FLOPSMITH_CHECK(supports(length));
    for (std::size_t k = 0; k <= m_half; ++k) {
        setRoot(m_splitting.data() + 2 * k, k, 2 * m_half);
    }
}

// With z_m = x_{2m} + i·x_{2m+1} and its transform Z:
// X_k = (Z_k + Z*_{h−k})/2 − i·e^(−2πik/n)·(Z_k − Z*_{h−k})/2, h = n/2, Z_h = Z_0.
void LaneFft::forward(const float* x,
                      float* spectra,
                      std::size_t stride,
                      std::size_t bins,
                      float* scratch) const
{
    float* const other = scratch + (2 * m_half + 2) * kLanes;
    transposeIn(x, 2 * m_half, 2 * m_half, scratch);
    const float* z = m_passes.run(scratch, other, scratch);
    float* const split = z == scratch ? other : scratch;
    for (std::size_t k = 0; k < bins; ++k) {
        const Complex a = loadPair(z + k % m_half * kPair);
        Complex b = loadPair(z + (m_half - k) % m_half * kPair);
        b.im = -b.im;
        const float* w = m_splitting.data() + 2 * k;
        storePair(split + k * kPair, (a + b + turned(times(a - b, w[0], w[1]))) * 0.5F);
    }
    transposeOut(split, 2 * bins, spectra, stride, PairOrder::straight);
}

// Z_k = X_k + X*_{h−k} + i·e^(2πik/n)·(X_k − X*_{h−k}); the inverse transform is the forward one
// of exchanged real and imaginary parts. The imaginary parts of X_0 and X_h do not matter.
void LaneFft::inverse(const float* spectra,
                      std::size_t stride,
                      std::size_t bins,
                      float* y,
                      float* scratch) const
{
    float* const other = scratch + (2 * m_half + 2) * kLanes;
    transposeIn(spectra, stride, 2 * bins, scratch);
    const auto bin = [&](std::size_t k) {
        Complex value = k < bins ? loadPair(scratch + k * kPair) : Complex{};
        value.im = k == 0 || k == m_half ? Lanes{} : value.im;
        return value;
    };
    for (std::size_t k = 0; k < m_half; ++k) {
        Complex z{};
        if (k < bins || m_half - k < bins) {
            const Complex a = bin(k);
            Complex b = bin(m_half - k);
            b.im = -b.im;
            const float* w = m_splitting.data() + 2 * k;
            z = a + b - turned(times(a - b, w[0], -w[1]));
        }
        storePair(other + k * kPair, {z.im, z.re});
    }
    const float* values = m_passes.run(other, scratch, other);
    transposeOut(values, 2 * m_half, y, 2 * m_half, PairOrder::exchanged);
}

} // namespace flopsmith::cpu
