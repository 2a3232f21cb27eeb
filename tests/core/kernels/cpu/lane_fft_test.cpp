// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/fft/lane_fft.h"

#include "core/kernels/weights.h"
#include "tests/core/kernels/cpu/plain_spectrum.h"

#include <gmock/gmock.h>

#include <vector>

namespace flopsmith::cpu {
namespace {

constexpr int kLengths[] = {4, 6, 8, 10, 12, 16, 24, 30, 60, 96, 100, 128, 160, 250, 384, 486, 768};

struct Lanewise
{
    int n;
    std::size_t stride; ///< of spectra; a few floats more than they need
    LaneFft fft;
    std::vector<float> x;
    std::vector<float> spectra;
    Buffer scratch;

    explicit Lanewise(int length)
        : n(length)
        , stride(static_cast<std::size_t>(length) + 5)
        , fft(length)
        , x(randomActivations<float>(static_cast<std::size_t>(LaneFft::rows() * length), 3))
        , spectra(static_cast<std::size_t>(LaneFft::rows()) * stride, -77.0F)
        , scratch(LaneFft::scratchSize(length))
    {}

    const float* row(int lane) const { return x.data() + lane * n; }
    float* spectrum(int lane) { return spectra.data() + static_cast<std::size_t>(lane) * stride; }
};

TEST(LaneFft, IsTheTransformOfEveryLane)
{
    for (const int n : kLengths) {
        SCOPED_TRACE(n);
        Lanewise f(n);
        f.fft.forward(f.x.data(), f.spectra.data(), f.stride, n / 2 + 1, f.scratch.data());
        for (const int lane : {0, 1, LaneFft::rows() - 1}) {
            const auto expected = plainSpectrum(f.row(lane), n);
            for (int k = 0; k <= n / 2; ++k) {
                EXPECT_NEAR(f.spectrum(lane)[2 * k], expected[k].real(), 1e-6 * n);
                EXPECT_NEAR(f.spectrum(lane)[2 * k + 1], expected[k].imag(), 1e-6 * n);
            }
            EXPECT_EQ(f.spectrum(lane)[n + 2], -77.0F) << "writes behind the spectrum";
        }
    }
}

TEST(LaneFft, WritesTheWantedBinsOnly)
{
    Lanewise f(96);
    f.fft.forward(f.x.data(), f.spectra.data(), f.stride, 7, f.scratch.data());
    const auto expected = plainSpectrum(f.row(2), 96);
    EXPECT_NEAR(f.spectrum(2)[12], expected[6].real(), 1e-4);
    EXPECT_EQ(f.spectrum(2)[14], -77.0F);
}

TEST(LaneFft, ComesBackTimesTheLength)
{
    for (const int n : kLengths) {
        SCOPED_TRACE(n);
        Lanewise f(n);
        std::vector<float> y(f.x.size());
        f.fft.forward(f.x.data(), f.spectra.data(), f.stride, n / 2 + 1, f.scratch.data());
        f.fft.inverse(f.spectra.data(), f.stride, n / 2 + 1, y.data(), f.scratch.data());
        for (std::size_t i = 0; i < y.size(); ++i) {
            EXPECT_NEAR(y[i] / static_cast<float>(n), f.x[i], 3e-6);
        }
    }
}

TEST(LaneFft, TakesBinsThatAreNotGivenForZero)
{
    for (const std::size_t given : {1U, 2U, 9U, 30U, 31U}) {
        SCOPED_TRACE(given);
        Lanewise f(60);
        std::vector<float> some(f.x.size());
        std::vector<float> all(f.x.size());
        f.fft.forward(f.x.data(), f.spectra.data(), f.stride, 31, f.scratch.data());
        f.fft.inverse(f.spectra.data(), f.stride, given, some.data(), f.scratch.data());
        for (int lane = 0; lane < LaneFft::rows(); ++lane) {
            std::fill(f.spectrum(lane) + 2 * given, f.spectrum(lane) + 62, 0.0F);
        }
        f.fft.inverse(f.spectra.data(), f.stride, 31, all.data(), f.scratch.data());
        EXPECT_THAT(some, testing::Pointwise(testing::FloatNear(1e-4F), all));
    }
}

// Of a real function these bins are real; FFTW does not look at their imaginary parts either.
TEST(LaneFft, DoesNotLookAtImaginaryPartsOfTheOuterBins)
{
    Lanewise f(24);
    std::vector<float> before(f.x.size());
    std::vector<float> after(f.x.size());
    f.fft.forward(f.x.data(), f.spectra.data(), f.stride, 13, f.scratch.data());
    f.fft.inverse(f.spectra.data(), f.stride, 13, before.data(), f.scratch.data());
    f.spectrum(1)[1] = 9.0F;
    f.spectrum(1)[25] = -5.0F;
    f.fft.inverse(f.spectra.data(), f.stride, 13, after.data(), f.scratch.data());
    EXPECT_EQ(before, after);
}

TEST(LaneFft, KnowsWhichLengthsItSupports)
{
    for (const int n : kLengths) {
        EXPECT_TRUE(LaneFft::supports(n)) << n;
        EXPECT_LE(static_cast<Count>(LaneFft(n).bytes()), LaneFft::mostBytes(n)) << n;
    }
    for (const int n : {1, 2, 3, 5, 15, 14, 77, 97, 2 * 97, 1022}) {
        EXPECT_FALSE(LaneFft::supports(n)) << n;
    }
}

} // namespace
} // namespace flopsmith::cpu
