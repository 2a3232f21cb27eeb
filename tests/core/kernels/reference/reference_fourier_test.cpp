// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mixer/fourier.h"
#include "tests/core/kernels/reference/reference_run.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace flopsmith::reference {
namespace {

Values mixed(const Shape& shape, const Values& x)
{
    Values y(x.size(), -1.0);
    forward<double>(FourierMixer{}, shape, {}, x, {}, {}, y);
    return y;
}

Shape prefill(int batch, int sequence, int dModel)
{
    return {.batch = batch, .sequence = sequence, .context = sequence, .dModel = dModel};
}

std::vector<Shape> fourierShapes()
{
    return {prefill(1, 1, 1),
            prefill(1, 1, 7),
            prefill(1, 5, 1),
            prefill(1, 2, 2),
            prefill(1, 7, 11),
            prefill(1, 6, 9),
            prefill(1, 13, 8)};
}

Values inputOf(const Shape& shape)
{
    return randomActivations<double>(shape.activations(), 5);
}

// x[−s mod S, −n mod d]
Values turnedAround(const Shape& shape, const Values& x)
{
    const auto tokens = static_cast<std::size_t>(shape.sequence);
    const auto d = static_cast<std::size_t>(shape.dModel);
    Values turned;
    for (std::size_t s = 0; s < tokens; ++s) {
        for (std::size_t n = 0; n < d; ++n) {
            turned.push_back(x[(tokens - s) % tokens * d + (d - n) % d]);
        }
    }
    return turned;
}

TEST(FourierReference, IsTheDoubleSumOfCosines)
{
    for (const Shape& shape : fourierShapes()) {
        const Values x = inputOf(shape);
        const Values y = mixed(shape, x);
        for (int k = 0; k < shape.sequence; ++k) {
            for (int j = 0; j < shape.dModel; ++j) {
                double sum = 0;
                for (int s = 0; s < shape.sequence; ++s) {
                    for (int n = 0; n < shape.dModel; ++n) {
                        const double turns = static_cast<double>(k * s) / shape.sequence
                            + static_cast<double>(j * n) / shape.dModel;
                        const int at = s * shape.dModel + n;
                        sum += x[static_cast<std::size_t>(at)]
                            * std::cos(2 * std::numbers::pi * turns);
                    }
                }
                ASSERT_NEAR(y[static_cast<std::size_t>(k * shape.dModel + j)], sum, 1e-9)
                    << "S " << shape.sequence << ", d " << shape.dModel;
            }
        }
    }
}

TEST(FourierReference, OfOneTokenAndOneFeatureIsTheIdentity)
{
    EXPECT_EQ(mixed(prefill(1, 1, 1), {3.5}), Values{3.5});
}

TEST(FourierReference, IsLinear)
{
    const Shape shape = prefill(1, 7, 11);
    const Values a = randomActivations<double>(shape.activations(), 1);
    const Values b = randomActivations<double>(shape.activations(), 2);
    Values sum;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum.push_back(2 * a[i] - 3 * b[i]);
    }
    const Values ofA = mixed(shape, a);
    const Values ofB = mixed(shape, b);
    const Values ofSum = mixed(shape, sum);

    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_NEAR(ofSum[i], 2 * ofA[i] - 3 * ofB[i], 1e-9);
    }
}

// The real part keeps what is even in both indices: cos(a)·cos(b) summed over all frequencies.
TEST(FourierReference, TwiceGivesTheEvenPart)
{
    for (const Shape& shape : fourierShapes()) {
        const Values x = inputOf(shape);
        const Values turned = turnedAround(shape, x);
        const Values twice = mixed(shape, mixed(shape, x));
        const double half = 0.5 * shape.sequence * shape.dModel;
        for (std::size_t i = 0; i < x.size(); ++i) {
            EXPECT_NEAR(twice[i], half * (x[i] + turned[i]), 1e-8);
        }
    }
}

// Parseval's theorem for the real part: Σ y² = S·d/2·(Σ x² + Σ x·x turned around).
TEST(FourierReference, KeepsTheEnergyOfTheEvenPart)
{
    for (const Shape& shape : fourierShapes()) {
        const Values x = inputOf(shape);
        const Values y = mixed(shape, x);
        const double energy = inner(x, x) + inner(x, turnedAround(shape, x));

        EXPECT_NEAR(inner(y, y), 0.5 * shape.sequence * shape.dModel * energy, 1e-7);
    }
}

TEST(FourierReference, DoesNotMixSequences)
{
    const Shape both = prefill(2, 3, 5);
    Values x = randomActivations<double>(both.activations(), 3);
    const Values before = mixed(both, x);
    x[20] += 1; // of the second sequence
    const Values after = mixed(both, x);

    for (std::size_t i = 0; i < 15; ++i) {
        EXPECT_EQ(before[i], after[i]);
    }
    EXPECT_NE(before[15], after[15]);
}

} // namespace
} // namespace flopsmith::reference
