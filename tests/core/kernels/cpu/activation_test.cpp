// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/simd/activation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace flopsmith::cpu {
namespace {

double exact(Activation activation, double x)
{
    switch (activation) {
    case Activation::none: return x;
    case Activation::relu: return std::max(x, 0.0);
    case Activation::reluSquared: return x > 0 ? x * x : 0.0;
    case Activation::gelu: return 0.5 * x * (1 + std::erf(x / std::numbers::sqrt2));
    case Activation::geluTanh:
        return 0.5 * x
            * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
    case Activation::silu: return x / (1 + std::exp(-x));
    }
    return x;
}

// −20 … 20 in unequal steps: every branch, and a last register that is not full.
std::vector<float> line()
{
    std::vector<float> values;
    for (int i = 0; i <= 4006; ++i) {
        const double t = (i - 2003) / 2003.0;
        values.push_back(static_cast<float>(20 * t * std::abs(t)));
    }
    return values;
}

TEST(ActivationRow, IsWithinAFewRoundingsOfTheTrueFunction)
{
    for (std::size_t i = 0; i < enumNames<Activation>().size(); ++i) {
        const auto activation = static_cast<Activation>(i);
        const std::vector<float> x = line();
        std::vector<float> y = x;

        addBiasAndActivate(activation, nullptr, y.data(), y.size());

        for (std::size_t j = 0; j < x.size(); ++j) {
            const double scale = std::max(1.0, std::abs(static_cast<double>(x[j])));
            EXPECT_NEAR(y[j], exact(activation, x[j]), 4e-7 * scale * scale)
                << enumName(activation) << " of " << x[j];
        }
    }
}

TEST(TanhRow, IsWithinThreeUnitsInTheLastPlace)
{
    std::vector<float> y = line();
    tanhRow(y.data(), y.size());

    const std::vector<float> x = line();
    for (std::size_t j = 0; j < x.size(); ++j) {
        const double truth = std::tanh(static_cast<double>(x[j]));
        EXPECT_NEAR(y[j], truth, 3 * 1.2e-7 * std::abs(truth)) << x[j];
    }
}

TEST(SigmoidRow, IsRelativelyExactWhereItIsTiny)
{
    std::vector<float> y = line();
    sigmoidRow(y.data(), y.size());

    const std::vector<float> x = line();
    for (std::size_t j = 0; j < x.size(); ++j) {
        const double truth = 1 / (1 + std::exp(-static_cast<double>(x[j])));
        EXPECT_NEAR(y[j], truth, 5e-7 * truth) << x[j];
    }
}

TEST(ActivationRow, StaysFiniteAndSignedFarOut)
{
    std::vector<float> y{-1e30F, -200.0F, 200.0F, 1e30F};
    for (const Activation activation : {Activation::gelu, Activation::geluTanh, Activation::silu}) {
        std::vector<float> row = y;
        addBiasAndActivate(activation, nullptr, row.data(), row.size());
        EXPECT_NEAR(row[0], 0.0F, 1e-5F) << enumName(activation);
        EXPECT_NEAR(row[1], 0.0F, 1e-5F) << enumName(activation);
        EXPECT_EQ(row[2], 200.0F) << enumName(activation);
        EXPECT_EQ(row[3], 1e30F) << enumName(activation);
    }
}

TEST(ActivationRow, LetsNotANumberThrough)
{
    for (std::size_t i = 0; i < enumNames<Activation>().size(); ++i) {
        std::vector<float> row{std::numeric_limits<float>::quiet_NaN(), 1.0F};
        addBiasAndActivate(static_cast<Activation>(i), nullptr, row.data(), row.size());
        EXPECT_TRUE(std::isnan(row[0])) << i;
        EXPECT_FALSE(std::isnan(row[1])) << i;
    }
}

TEST(ActivationRow, AddsTheBiasFirst)
{
    std::vector<float> row{-1.0F, 1.0F, 2.0F};
    const std::vector<float> bias{2.0F, -3.0F, 0.5F};

    addBiasAndActivate(Activation::relu, bias.data(), row.data(), row.size());

    EXPECT_EQ(row, (std::vector<float>{1.0F, 0.0F, 2.5F}));
}

TEST(GateRow, MultipliesTheActivatedGateIntoTheOther)
{
    const std::vector<float> gate{-1.0F, 2.0F};
    const std::vector<float> bias{0.0F, 1.0F};
    std::vector<float> up{5.0F, 7.0F};

    gateRow(Activation::relu, {}, gate.data(), bias.data(), up.data(), nullptr, up.size());

    EXPECT_EQ(up, (std::vector<float>{0.0F, 21.0F}));
}

// More features than a register has; every second factor is beyond its limit.
TEST(GateRow, LimitsBothFactorsAndOffsetsTheOther)
{
    const GateValues values{.limit = 2.0, .siluSlope = 1.702, .upOffset = 1.0};
    std::vector<float> gate;
    std::vector<float> up;
    std::vector<float> expected;
    for (int i = 0; i < 37; ++i) {
        gate.push_back(i % 2 == 0 ? 3.0F + static_cast<float>(i) : -0.1F * static_cast<float>(i));
        up.push_back(i % 4 < 2 ? -5.0F : 0.25F * static_cast<float>(i % 8));
        const double g = std::min(2.0, static_cast<double>(gate.back()));
        const double u = std::clamp(static_cast<double>(up.back()), -2.0, 2.0);
        expected.push_back(static_cast<float>((u + 1.0) * g / (1.0 + std::exp(-1.702 * g))));
    }

    gateRow(Activation::silu, values, gate.data(), nullptr, up.data(), nullptr, up.size());

    for (std::size_t i = 0; i < up.size(); ++i) {
        EXPECT_NEAR(up[i], expected[i], 1e-6) << i;
    }
}

TEST(GateRow, SlopesAreZeroBeyondLimitsAndNotAtThem)
{
    const GateValues values{.limit = 2.0};
    std::vector<float> gate{2.0F, 2.5F, 1.0F, -9.0F};
    const std::vector<float> up{2.0F, -2.0F, 2.5F, 1.0F};
    std::vector<float> hidden(4);
    std::vector<float> slopes(4);

    gateKeepingSlopes(
        Activation::none, values, gate.data(), up.data(), hidden.data(), slopes.data(), 4);

    EXPECT_EQ(gate, (std::vector<float>{2.0F, 2.0F, 0.0F, -9.0F}));
    EXPECT_EQ(hidden, (std::vector<float>{4.0F, -4.0F, 2.0F, -9.0F}));
    EXPECT_EQ(slopes, (std::vector<float>{2.0F, 0.0F, 2.0F, 1.0F}));
}

} // namespace
} // namespace flopsmith::cpu
