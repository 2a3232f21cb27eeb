// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/reference/activation.h"
#include "tests/core/kernels/reference/reference_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace flopsmith::reference {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::Pointwise;

TEST(NormReference, LayerNormCentresAndScales)
{
    const Norm norm{};
    const double unit = 1 / std::sqrt(1 + kNormEpsilon);

    const Values y = outputOf(norm, {1, 1, 1, 2}, {{1, 2}, {10, 20}}, {4, 6});

    EXPECT_THAT(y, Pointwise(DoubleNear(1e-12), Values{10 - unit, 20 + 2 * unit}));
}

TEST(NormReference, RmsNormDividesByTheRootMeanSquare)
{
    const double unit = 1 / std::sqrt(25 + kNormEpsilon);

    const Values y = outputOf(Norm::rms(), {1, 1, 1, 2}, {{1, 10}}, {1, 7});

    EXPECT_THAT(y, Pointwise(DoubleNear(1e-12), Values{unit, 70 * unit}));
}

TEST(NormReference, ShiftStandsFirstWithoutAScale)
{
    const Norm norm{.kind = NormKind::layerNorm, .scale = false, .shift = true};

    EXPECT_THAT(outputOf(norm, {1, 1, 1, 1}, {{3}}, {5}), ElementsAre(3));
}

TEST(NormReference, NoNormCopies)
{
    EXPECT_THAT(outputOf(Norm::absent(), {1, 1, 1, 2}, {}, {1, 7}), ElementsAre(1, 7));
}

TEST(EmbeddingReference, AddsTheRowsOfItsTables)
{
    const Embedding embedding{.vocab = 2, .positionRows = 2, .tokenTypes = 2};
    const Weights<double> weights{{1, 2}, {10, 20}, {100, 200}};
    const std::vector<int> tokens{1, 0};
    Values y(2);

    forward<double>(embedding, Shape{1, 2, 2, 1}, weights, tokens, y);

    EXPECT_THAT(y, ElementsAre(2 + 10 + 100, 1 + 20 + 100));
}

TEST(EmbeddingReference, PositionsCountFromTheCachedTokensAndRepeat)
{
    const Embedding embedding{.vocab = 2, .positionRows = 3};
    const Weights<double> weights{{0, 0}, {10, 20, 30}};
    const std::vector<int> tokens{0, 0};
    Values y(2);

    forward<double>(embedding, Shape{1, 2, 4, 1}, weights, tokens, y); // positions 2 and 3

    EXPECT_THAT(y, ElementsAre(30, 10));
}

TEST(EmbeddingReference, SinusoidalPositionsNeedNoWeights)
{
    const Embedding embedding{.vocab = 2, .positions = Positions::sinusoidal};
    const std::vector<int> tokens{0};
    Values y(4);

    forward<double>(
        embedding, Shape{1, 1, 3, 4}, Weights<double>{{0, 0, 0, 0, 0, 0, 0, 0}}, tokens, y);

    const Values expected{std::sin(2.0), std::cos(2.0), std::sin(0.02), std::cos(0.02)};
    EXPECT_THAT(y, Pointwise(DoubleNear(1e-12), expected));
}

TEST(EmbeddingReference, NormComesLast)
{
    Embedding embedding{.vocab = 1, .positions = Positions::none};
    embedding.norm = Norm::rms();
    const std::vector<int> tokens{0};
    Values y(1);

    forward<double>(embedding, Shape{1, 1, 1, 1}, Weights<double>{{-4}, {3}}, tokens, y);

    EXPECT_NEAR(y.front(), -3, 1e-5);
}

TEST(HeadReference, LogitsAreProductsWithTheRowsOfTheTable)
{
    const Head head{.bias = true};
    Values y(3);
    const Values x{1, 10};

    forward<double>(
        head, 3, Shape{1, 1, 1, 2}, Weights<double>{{1, 2, 3, 4, 5, 6}, {0, 0, 1}}, x, y);

    EXPECT_THAT(y, ElementsAre(21, 43, 66));
}

TEST(HeadReference, PoolerTakesTheFirstTokenOfEachSequence)
{
    const Head head{.kind = HeadKind::pooler};
    Values y(2);
    const Values x{1, 9, 2, 9};

    forward<double>(head, 3, Shape{2, 2, 2, 1}, Weights<double>{{0.5}, {0.25}}, x, y);

    EXPECT_THAT(y, ElementsAre(std::tanh(0.75), std::tanh(1.25)));
}

TEST(ResidualReference, Adds)
{
    Values sum(2);

    addResidual<double>(Values{1, 2}, Values{10, 20}, sum);

    EXPECT_THAT(sum, ElementsAre(11, 22));
}

TEST(ActivationReference, MatchesItsDefinition)
{
    const double x = 0.7;
    EXPECT_DOUBLE_EQ(activated(Activation::none, x), x);
    EXPECT_DOUBLE_EQ(activated(Activation::relu, -x), 0);
    EXPECT_DOUBLE_EQ(activated(Activation::reluSquared, x), 0.49);
    EXPECT_DOUBLE_EQ(activated(Activation::gelu, x), x * 0.5 * std::erfc(-x / std::sqrt(2.0)));
    EXPECT_NEAR(activated(Activation::geluTanh, x), activated(Activation::gelu, x), 1e-3);
    EXPECT_DOUBLE_EQ(activated(Activation::silu, x), x / (1 + std::exp(-x)));
}

} // namespace
} // namespace flopsmith::reference
