// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/composed.h"
#include "core/ffn/micro_refine.h"
#include "core/ffn/polynomial.h"
#include "core/ffn/spectral.h"
#include "tests/core/kernels/reference/reference_run.h"
#include "tests/support/spec_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

// What the gradients of the cheap FFNs must be where their options reduce to something simpler.
namespace flopsmith::reference {
namespace {

using testing::DoubleNear;
using testing::Pointwise;

struct Gradients
{
    Values dx;
    Weights<double> weights;
};

Gradients gradientsOf(const FfnSpec& ffn, const Shape& shape, const Weights<double>& weights)
{
    const auto x = randomActivations<double>(shape.activations(), 2);
    const auto dy = randomActivations<double>(shape.activations(), 3);
    Gradients gradients{.dx = Values(x.size(), -1.0),
                        .weights = zeros<double>(flopsmith::weights(ffn, shape.dModel))};
    backward<double>(ffn, shape, weights, x, dy, gradients.dx, gradients.weights);
    return gradients;
}

Gradients gradientsOf(const FfnSpec& ffn, const Shape& shape)
{
    return gradientsOf(ffn, shape, randomWeights<double>(weights(ffn, shape.dModel), 7));
}

void expectEqual(const Gradients& a, const Gradients& b)
{
    EXPECT_THAT(a.dx, Pointwise(DoubleNear(kSmall), b.dx));
    ASSERT_EQ(a.weights.size(), b.weights.size());
    for (std::size_t i = 0; i < a.weights.size(); ++i) {
        EXPECT_THAT(a.weights[i], Pointwise(DoubleNear(kSmall), b.weights[i])) << "weight " << i;
    }
}

std::vector<Shape> shapes()
{
    return {{1, 1, 1, 1}, {1, 1, 1, 2}, {2, 3, 3, 7}, {1, 5, 5, 12}};
}

TEST(SpectralBackward, IsTheIdentityWhereTheForwardPassIs)
{
    for (const Shape& shape : shapes()) {
        for (const BinSelection selection :
             {BinSelection::lowPass, BinSelection::learned, BinSelection::topK}) {
            for (const SpectralAlgorithm algorithm :
                 {SpectralAlgorithm::fft, SpectralAlgorithm::direct}) {
                if (selection == BinSelection::topK && algorithm == SpectralAlgorithm::direct) {
                    continue;
                }
                const SpectralFfn ffn{.kFreq = SpectralFfn::bins(shape.dModel),
                                      .selection = selection,
                                      .algorithm = algorithm};
                Weights<double> ones = zeros<double>(weights(ffn, shape.dModel));
                for (std::size_t i = 0; i < ones[0].size(); i += 2) {
                    ones[0][i] = 1;
                }
                const auto dy = randomActivations<double>(shape.activations(), 3);

                EXPECT_THAT(gradientsOf(ffn, shape, ones).dx, Pointwise(DoubleNear(kSmall), dy))
                    << "d " << shape.dModel;
            }
        }
    }
}

TEST(SpectralBackward, DirectProductsGiveWhatTheTransformGives)
{
    for (const Shape& shape : shapes()) {
        for (int k = 1; k <= SpectralFfn::bins(shape.dModel); ++k) {
            SpectralFfn ffn{.kFreq = k,
                            .selection = BinSelection::learned,
                            .algorithm = SpectralAlgorithm::fft,
                            .activation = Activation::silu};
            const Gradients transformed = gradientsOf(ffn, shape);
            ffn.algorithm = SpectralAlgorithm::direct;

            expectEqual(gradientsOf(ffn, shape), transformed);
        }
    }
}

TEST(SpectralBackward, TopKOfAllBinsIsTheFullLowPass)
{
    for (const Shape& shape : shapes()) {
        SpectralFfn ffn{.kFreq = SpectralFfn::bins(shape.dModel),
                        .algorithm = SpectralAlgorithm::fft};
        const Gradients lowPass = gradientsOf(ffn, shape);
        ffn.selection = BinSelection::topK;

        expectEqual(gradientsOf(ffn, shape), lowPass);
    }
}

TEST(SpectralBackward, BinsThatNoTokenKeepsHaveNoGradient)
{
    const Shape shape{1, 1, 1, 12};
    const SpectralFfn ffn{.kFreq = 2, .selection = BinSelection::topK};
    const Gradients gradients = gradientsOf(ffn, shape);
    int withGradient = 0;
    for (std::size_t i = 0; i < gradients.weights[0].size(); i += 2) {
        withGradient += gradients.weights[0][i] != 0 ? 1 : 0;
    }
    EXPECT_EQ(withGradient, 2);
}

TEST(PolynomialBackward, KeepingAllChannelsIsThePlainDerivative)
{
    for (const Shape& shape : shapes()) {
        for (const ChannelSelection selection : {ChannelSelection::fixed, ChannelSelection::topK}) {
            const PolynomialFfn ffn{.degree = 3, .keepRatio = 1.0, .selection = selection};
            const auto alpha = randomWeights<double>(weights(ffn, shape.dModel), 7);
            const auto x = randomActivations<double>(shape.activations(), 2);
            const auto dy = randomActivations<double>(shape.activations(), 3);
            const std::vector<double>& a = alpha[0];
            Gradients plain{.dx = {}, .weights = {{0, 0, 0, 0}}};
            for (std::size_t i = 0; i < x.size(); ++i) {
                plain.dx.push_back(dy[i] * (a[1] + 2 * a[2] * x[i] + 3 * a[3] * x[i] * x[i]));
                for (int m = 0; m <= 3; ++m) {
                    plain.weights[0][m] += dy[i] * std::pow(x[i], m);
                }
            }

            expectEqual(gradientsOf(ffn, shape, alpha), plain);
        }
    }
}

TEST(PolynomialBackward, ChannelsThatShareCoefficientsAddTheirGradients)
{
    for (const PolynomialBasis basis : {PolynomialBasis::monomial, PolynomialBasis::chebyshev}) {
        for (const PolynomialTerms terms :
             {PolynomialTerms::all, PolynomialTerms::odd, PolynomialTerms::even}) {
            for (const ChannelSelection selection :
                 {ChannelSelection::fixed, ChannelSelection::topK}) {
                const Shape shape{2, 3, 3, 7};
                PolynomialFfn ffn{
                    .degree = 4, .basis = basis, .terms = terms, .selection = selection};
                const auto shared = randomWeights<double>(weights(ffn, shape.dModel), 7);
                Gradients sum = gradientsOf(ffn, shape, shared);
                ffn.coefficients = CoefficientSharing::perChannel;
                Weights<double> copies(1);
                for (int channel = 0; channel < shape.dModel; ++channel) {
                    copies[0].insert(copies[0].end(), shared[0].begin(), shared[0].end());
                }
                const Gradients parts = gradientsOf(ffn, shape, copies);
                Values added(shared[0].size());
                for (std::size_t i = 0; i < parts.weights[0].size(); ++i) {
                    added[i % added.size()] += parts.weights[0][i];
                }

                EXPECT_THAT(parts.dx, Pointwise(DoubleNear(kSmall), sum.dx));
                EXPECT_THAT(added, Pointwise(DoubleNear(kSmall), sum.weights[0]));
            }
        }
    }
}

TEST(PolynomialBackward, ConstantSendsNothingBack)
{
    const Shape shape{1, 4, 4, 7};
    const PolynomialFfn ffn{.degree = 1, .terms = PolynomialTerms::even};
    EXPECT_THAT(gradientsOf(ffn, shape).dx, testing::Each(0.0));
}

TEST(MicroRefineBackward, KeepingAllChannelsDoesNotDependOnHowTheyAreChosen)
{
    for (const Shape& shape : shapes()) {
        MicroRefineFfn ffn{.steps = 1, .keepRatio = 1.0};
        const Gradients groups = gradientsOf(ffn, shape);
        ffn.selection = ChannelSelection::fixed;
        expectEqual(gradientsOf(ffn, shape), groups);
        ffn.mode = MicroRefineMode::iterative; // once: y = z − x is the refinement itself
        expectEqual(gradientsOf(ffn, shape), groups);
        ffn.selection = ChannelSelection::topK;
        expectEqual(gradientsOf(ffn, shape), groups);
    }
}

TEST(MicroRefineBackward, IterationsAreSequentialCompositions)
{
    const Shape shape{2, 3, 3, 7};
    const MicroRefineFfn once{.steps = 1, .selection = ChannelSelection::fixed};
    MicroRefineFfn thrice = once;
    thrice.mode = MicroRefineMode::iterative;
    thrice.steps = 3;
    const ComposedFfn chain{.mode = CompositionMode::sequential,
                            .gate = GateKind::none,
                            .stages = {{once}, {once}, {once}}};
    const auto weight = randomWeights<double>(weights(once, shape.dModel), 7);
    Weights<double> copies;
    for (int i = 0; i < 3; ++i) {
        copies.insert(copies.end(), weight.begin(), weight.end());
    }
    const Gradients parts = gradientsOf(chain, shape, copies);
    Gradients sum{.dx = parts.dx, .weights = {Values(7), Values(7), Values(7)}};
    for (std::size_t i = 0; i < parts.weights.size(); ++i) {
        for (std::size_t j = 0; j < 7; ++j) {
            sum.weights[i % 3][j] += parts.weights[i][j];
        }
    }

    expectEqual(gradientsOf(thrice, shape, weight), sum);
}

TEST(ComposedBackward, OneUngatedStageHasThatStagesGradients)
{
    const Shape shape{2, 3, 3, 8};
    for (const FfnSpec& prototype : ffnPrototypes()) {
        const FfnSpec stage = test::fitted(prototype, {shape.dModel});
        if (holds_alternative<ComposedFfn>(stage)) {
            continue;
        }
        SCOPED_TRACE(info(stage).id);
        for (const CompositionMode mode :
             {CompositionMode::parallel, CompositionMode::sequential}) {
            const ComposedFfn composed{.mode = mode, .gate = GateKind::none, .stages = {{stage}}};

            expectEqual(gradientsOf(composed, shape), gradientsOf(stage, shape));
        }
    }
}

TEST(ComposedBackward, EqualChannelGatesAddUpToTheScalarGate)
{
    const Shape shape{2, 3, 3, 8};
    for (const CompositionMode mode : {CompositionMode::parallel, CompositionMode::sequential}) {
        ComposedFfn ffn{.mode = mode, .stages = {{PolynomialFfn{}}, {MicroRefineFfn{}}}};
        auto weight = randomWeights<double>(weights(ffn, shape.dModel), 7);
        const Gradients scalar = gradientsOf(ffn, shape, weight);
        ffn.gate = GateKind::channel;
        Values rows;
        for (const double gate : weight[0]) {
            rows.insert(rows.end(), static_cast<std::size_t>(shape.dModel), gate);
        }
        weight[0] = rows;
        Gradients channel = gradientsOf(ffn, shape, weight);
        Values added(2);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            added[i / static_cast<std::size_t>(shape.dModel)] += channel.weights[0][i];
        }
        channel.weights[0] = added;

        expectEqual(channel, scalar);
    }
}

} // namespace
} // namespace flopsmith::reference
