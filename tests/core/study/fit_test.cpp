// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/search/fit.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace flopsmith {
namespace {

TEST(PowerLaw, FindsTheExponentOfAnExactPower)
{
    const std::vector<double> x{1, 2, 4, 8};
    const std::vector<double> y{3, 12, 48, 192}; // 3 x²

    const Result<PowerLaw> law = fitPowerLaw(x, y);

    ASSERT_TRUE(law.ok());
    EXPECT_NEAR(law->exponent, 2.0, 1e-12);
    EXPECT_NEAR(law->coefficient, 3.0, 1e-12);
    EXPECT_NEAR(law->exponentError.value(), 0.0, 1e-7);
    EXPECT_NEAR(law->at(10), 300.0, 1e-9);
}

TEST(PowerLaw, StandardErrorMatchesTheTextbook)
{
    // u = 0, 1, 2 and v = 0, 1, 0: slope 0, residual squares 2/3, Σ(u−ū)² = 2, n − 2 = 1.
    const std::vector<double> x{1, std::exp(1.0), std::exp(2.0)};
    const std::vector<double> y{1, std::exp(1.0), 1};

    const Result<PowerLaw> law = fitPowerLaw(x, y);

    ASSERT_TRUE(law.ok());
    EXPECT_NEAR(law->exponent, 0.0, 1e-12);
    EXPECT_NEAR(law->exponentError.value(), std::sqrt(1.0 / 3.0), 1e-12);
}

TEST(PowerLaw, TwoPointsHaveASlopeButNoError)
{
    const Result<PowerLaw> law = fitPowerLaw(std::array{1.0, 10.0}, std::array{5.0, 50.0});

    ASSERT_TRUE(law.ok());
    EXPECT_NEAR(law->exponent, 1.0, 1e-12);
    EXPECT_FALSE(law->exponentError.has_value());
}

TEST(PowerLaw, LeavesOutWhatHasNoLogarithm)
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    const std::vector<double> x{0, 1, 2, 4, -1, 8, 16};
    const std::vector<double> y{1, 1, 2, 4, 1, nan, infinity};

    const Result<PowerLaw> law = fitPowerLaw(x, y);

    ASSERT_TRUE(law.ok());
    EXPECT_EQ(law->points, 3);
    EXPECT_NEAR(law->exponent, 1.0, 1e-12);
}

TEST(PowerLaw, RefusesASinglePlace)
{
    EXPECT_FALSE(fitPowerLaw(std::array{3.0, 3.0}, std::array{1.0, 2.0}).ok());
    EXPECT_FALSE(fitPowerLaw(std::array{3.0}, std::array{1.0}).ok());
    EXPECT_FALSE(fitPowerLaw(std::vector<double>{}, std::vector<double>{}).ok());
}

} // namespace
} // namespace flopsmith
