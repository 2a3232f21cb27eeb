// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/random_projection.h"
#include "tests/core/kernels/reference/reference_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace flopsmith::reference {
namespace {

using testing::DoubleNear;
using testing::Pointwise;

// The matrix written out, [rows, columns].
Values written(const SignMatrix& matrix)
{
    Values all(static_cast<std::size_t>(matrix.rows) * static_cast<std::size_t>(matrix.columns));
    for (int i = 0; i < matrix.rows; ++i) {
        for (const std::int32_t entry : matrix.row(i)) {
            all[static_cast<std::size_t>(i) * static_cast<std::size_t>(matrix.columns)
                + static_cast<std::size_t>(SignMatrix::column(entry))] =
                SignMatrix::isMinus(entry) ? -1.0 : 1.0;
        }
    }
    return all;
}

Values product(const Values& matrix, const Values& x)
{
    Values y(matrix.size() / x.size());
    for (std::size_t i = 0; i < matrix.size(); ++i) {
        y[i / x.size()] += matrix[i] * x[i % x.size()];
    }
    return y;
}

// h = relu(R₁x/√p + b), y = R₂(g ⊙ h)/√q
Values byMatrices(const RandomProjectionFfn& ffn, int d, const Weights<double>& w, const Values& x)
{
    const double p = ffn.inputsPerFeature(d);
    const double q = ffn.featuresPerOutput();
    Values h = product(written(ffn.inputProjection(d)), x);
    for (std::size_t i = 0; i < h.size(); ++i) {
        h[i] = w[0][i] * std::max(0.0, h[i] / std::sqrt(p) + w[1][i]);
    }
    Values y = product(written(ffn.outputProjection(d)), h);
    for (double& value : y) {
        value /= std::sqrt(q);
    }
    return y;
}

TEST(RandomProjectionReference, IsTheProductsWithItsMatricesWrittenOut)
{
    for (const int d : {1, 7, 12}) {
        for (const int m : {1, 5, 24}) {
            for (const double density : {0.01, 0.4, 1.0}) {
                const RandomProjectionFfn ffn{.features = m, .density = density, .seed = d + m};
                const auto weights = randomWeights<double>(flopsmith::weights(ffn, d), 1);
                const auto x = randomActivations<double>(static_cast<std::size_t>(d), 2);

                EXPECT_THAT(outputOf(ffn, {1, 1, 1, d}, weights, x),
                            Pointwise(DoubleNear(1e-12), byMatrices(ffn, d, weights, x)))
                    << d << ", " << m << ", " << density;
            }
        }
    }
}

TEST(RandomProjectionReference, DensityOneLeavesNoZeros)
{
    const RandomProjectionFfn ffn{.features = 6, .density = 1.0};

    for (const double value : written(ffn.inputProjection(5))) {
        EXPECT_EQ(std::abs(value), 1.0);
    }
    for (const double value : written(ffn.outputProjection(5))) {
        EXPECT_EQ(std::abs(value), 1.0);
    }
}

TEST(RandomProjectionReference, KeepsTheVarianceOfItsInput)
{
    const RandomProjectionFfn ffn{.features = 2000, .density = 0.1, .activation = Activation::none};
    const int d = 500;
    Weights<double> weights{Values(2000, 1.0), Values(2000, 0.0)};
    const auto x = randomActivations<double>(static_cast<std::size_t>(d), 2);
    double power = 0;
    for (const double value : outputOf(ffn, {1, 1, 1, d}, weights, x)) {
        power += value * value / d;
    }

    EXPECT_NEAR(power, 1.0, 0.3);
}

} // namespace
} // namespace flopsmith::reference
