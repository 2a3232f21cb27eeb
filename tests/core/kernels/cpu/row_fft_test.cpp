// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/fft/row_fft.h"

#include "core/kernels/weights.h"
#include "tests/core/kernels/cpu/plain_spectrum.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

namespace flopsmith::cpu {
namespace {

// Lengths for registers of 4, 8 and 16 lanes; some suit all of them.
std::vector<int> lengths()
{
    std::vector<int> supported;
    for (const int n : {32, 96, 160, 192, 256, 480, 512, 576, 640, 768, 960, 1600, 3072, 4096}) {
        if (RowFft::supports(n)) {
            supported.push_back(n);
        }
    }
    return supported;
}

struct Row
{
    int n;
    std::size_t bins; ///< n/2 + 1
    std::size_t wanted;
    RowFft fft;
    std::vector<float> x;
    std::vector<float> spectrum; ///< followed by a few guard values
    Buffer scratch;

    explicit Row(int length, std::size_t wantedBins = 0)
        : n(length)
        , bins(static_cast<std::size_t>(length) / 2 + 1)
        , wanted(wantedBins == 0 ? bins : wantedBins)
        , fft(length, wanted)
        , x(randomActivations<float>(static_cast<std::size_t>(length), 3))
        , spectrum(2 * bins + 5, -77.0F)
        , scratch(RowFft::scratchSize(length))
    {}

    void forward() { fft.forward(x.data(), spectrum.data(), scratch.data()); }

    // Of a copy, since the inverse destroys the spectrum.
    std::vector<float> inverse()
    {
        std::vector<float> y(x.size());
        std::vector<float> given = spectrum;
        fft.inverse(given.data(), y.data(), scratch.data());
        EXPECT_EQ(given.back(), -77.0F) << "writes behind the spectrum";
        return y;
    }
};

// One bin, a few, the most that are summed by themselves, one more, all.
std::vector<std::size_t> wantedBins(int n)
{
    const auto bins = static_cast<std::size_t>(n) / 2 + 1;
    return {1, 2, 7, 64 * bins / 385, bins / 5, bins / 4, bins / 3, bins - 1, bins};
}

TEST(RowFft, AgreesWithThePlainTransform)
{
    ASSERT_FALSE(lengths().empty());
    for (const int n : lengths()) {
        Row all(n);
        const auto expected = plainSpectrum(all.x.data(), n);
        for (const std::size_t wanted : wantedBins(n)) {
            SCOPED_TRACE(testing::Message() << wanted << " bins of " << n);
            Row f(n, wanted);
            f.forward();
            for (std::size_t k = 0; k < wanted; ++k) {
                ASSERT_NEAR(f.spectrum[2 * k], expected[k].real(), 1e-6 * n) << k;
                ASSERT_NEAR(f.spectrum[2 * k + 1], expected[k].imag(), 1e-6 * n) << k;
            }
            EXPECT_EQ(f.spectrum[2 * f.bins], -77.0F) << "writes behind the spectrum";
        }
    }
}

TEST(RowFft, InverseOfForwardIsTheTokenTimesTheLength)
{
    for (const int n : lengths()) {
        SCOPED_TRACE(n);
        Row f(n);
        f.forward();
        const std::vector<float> y = f.inverse();
        for (std::size_t i = 0; i < y.size(); ++i) {
            ASSERT_NEAR(y[i] / static_cast<float>(n), f.x[i], 3e-6) << i;
        }
    }
}

TEST(RowFft, InverseTreatsMissingBinsAsZero)
{
    for (const int n : lengths()) {
        Row all(n);
        all.forward();
        const std::vector<float> spectrum = all.spectrum;
        for (const std::size_t wanted : wantedBins(n)) {
            SCOPED_TRACE(testing::Message() << wanted << " bins of " << n);
            Row some(n, wanted);
            some.spectrum = spectrum;
            all.spectrum = spectrum;
            std::fill(all.spectrum.begin() + static_cast<std::ptrdiff_t>(2 * wanted),
                      all.spectrum.begin() + n + 2,
                      0.0F);
            EXPECT_THAT(some.inverse(),
                        testing::Pointwise(testing::FloatNear(2e-6F * static_cast<float>(n)),
                                           all.inverse()));
        }
    }
}

// In the spectrum of real values these bins are real.
TEST(RowFft, IgnoresImaginaryPartsOfUnpairedBins)
{
    for (const int n : lengths()) {
        for (const std::size_t wanted : wantedBins(n)) {
            Row f(n, wanted);
            f.forward();
            const std::vector<float> before = f.inverse();
            f.spectrum[1] = 9.0F;
            f.spectrum[static_cast<std::size_t>(n) + 1] = -5.0F;
            EXPECT_EQ(before, f.inverse()) << wanted << " bins of " << n;
        }
    }
}

TEST(RowFft, KnowsWhichLengthsItSupports)
{
    for (const int n : {1, 2, 6, 16, 770, 1026, 32 * 49, 32 * 11}) {
        EXPECT_FALSE(RowFft::supports(n)) << n;
    }
}

} // namespace
} // namespace flopsmith::cpu
