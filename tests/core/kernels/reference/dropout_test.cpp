// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/composed.h"
#include "core/ffn/spectral.h"
#include "tests/core/kernels/reference/gradient_check.h"
#include "tests/core/kernels/reference/reference_run.h"

#include <gtest/gtest.h>

namespace flopsmith::reference {
namespace {

const Shape kInference{.batch = 2, .sequence = 3, .context = 3, .dModel = 7};
const Shape kTraining{.batch = 2, .sequence = 3, .context = 3, .dModel = 7, .training = true};

ComposedFfn withDropout(double dropout, CompositionMode mode, GateKind gate = GateKind::scalar)
{
    ComposedFfn ffn = ultraEfficientSparseFfn();
    ffn.stages.front().spec = SpectralFfn{.kFreq = 3};
    ffn.mode = mode;
    ffn.gate = gate;
    ffn.dropout = dropout;
    return ffn;
}

class Dropout : public testing::TestWithParam<CompositionMode>
{
protected:
    Values outputOf(const ComposedFfn& ffn, const Shape& shape) const
    {
        const auto weights = randomWeights<double>(flopsmith::weights(ffn, shape.dModel), 1);
        const auto x = randomActivations<double>(shape.activations(), 2);
        return reference::outputOf(ffn, shape, weights, x);
    }
};

TEST_P(Dropout, IsAbsentFromInference)
{
    EXPECT_EQ(outputOf(withDropout(0.5, GetParam()), kInference),
              outputOf(withDropout(0.0, GetParam()), kInference));
}

TEST_P(Dropout, OfZeroIsTheFormWithoutIt)
{
    EXPECT_EQ(outputOf(withDropout(0.0, GetParam()), kTraining),
              outputOf(withDropout(0.0, GetParam()), kInference));
}

TEST_P(Dropout, KeepsScaledElementsOfTheOutputOrNothing)
{
    const ComposedFfn ffn = withDropout(0.75, GetParam());
    const Values whole = outputOf(ffn, kInference);
    const Values some = outputOf(ffn, kTraining);

    int dropped = 0;
    for (std::size_t i = 0; i < some.size(); ++i) {
        if (some[i] == 0.0) {
            ++dropped;
        } else {
            EXPECT_EQ(some[i], 4.0 * whole[i]) << i;
        }
    }
    EXPECT_GT(dropped, 0);
    EXPECT_LT(dropped, static_cast<int>(some.size()));
}

TEST_P(Dropout, HasTheGradientsOfItsMask)
{
    for (const GateKind gate : {GateKind::none, GateKind::scalar, GateKind::channel}) {
        ComposedFfn inner = withDropout(0.4, GetParam(), gate);
        ComposedFfn outer = withDropout(0.2, GetParam(), gate);
        outer.dropoutSeed = 9;
        outer.stages.push_back({inner});

        expectGradients(inner, kInference);
        expectGradients(outer, kInference);
    }
}

INSTANTIATE_TEST_SUITE_P(Modes,
                         Dropout,
                         testing::Values(CompositionMode::parallel, CompositionMode::sequential),
                         [](const auto& tested) { return std::string(enumName(tested.param)); });

TEST(DropoutMask, DropsTheShareAskedForAndDependsOnTheSeed)
{
    constexpr std::size_t kCount = 100'000;
    ComposedFfn ffn{.dropout = 0.3};
    const DropoutMask first(ffn);
    ffn.dropoutSeed = 2;
    const DropoutMask second(ffn);
    double dropped = 0;
    double both = 0;
    double neighbours = 0;
    for (std::size_t i = 0; i < kCount; ++i) {
        dropped += first.factor(i) == 0.0 ? 1 : 0;
        both += first.factor(i) == 0.0 && second.factor(i) == 0.0 ? 1 : 0;
        neighbours += first.factor(i) == 0.0 && first.factor(i + 1) == 0.0 ? 1 : 0;
    }

    EXPECT_NEAR(dropped / kCount, 0.3, 0.01);
    EXPECT_NEAR(both / kCount, 0.09, 0.01); // independent
    EXPECT_NEAR(neighbours / kCount, 0.09, 0.01);
}

} // namespace
} // namespace flopsmith::reference
