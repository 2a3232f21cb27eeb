// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/mixer_operands.h"
#include "core/kernels/reference/mixer.h"
#include "core/mixer/attention.h"
#include "tests/core/kernels/reference/counting_run.h"
#include "tests/core/kernels/reference/gradient_check.h"
#include "tests/support/mixer_cases.h"

#include <gtest/gtest.h>

namespace flopsmith::reference {
namespace {

Executed executedBackward(const MixerSpec& mixer, const Shape& shape)
{
    const WeightShapes shapes = weights(mixer, shape.dModel);
    const auto weightValues = randomWeights<Counted>(shapes, 1);
    auto gradients = zeros<Counted>(shapes);
    const auto x = randomActivations<Counted>(operandsOf(mixer, shape).x, 2);
    const auto dy = randomActivations<Counted>(shape.activations(), 3);
    std::vector<Counted> dx(x.size());
    return executed([&] { backward<Counted>(mixer, shape, weightValues, x, dy, dx, gradients); });
}

Executed formulaOf(const MixerSpec& mixer, const Shape& shape)
{
    const auto add = [&](const Pass<Count>& pass, CostTree<Count>& tree) {
        addBackwardCost(mixer, pass, tree);
    };
    return executionOf(test::treeOf(shape, add).total().count);
}

class MixerBackward : public testing::TestWithParam<int>
{};

TEST_P(MixerBackward, ExecutesWhatItsFormulaSaysClassByClass)
{
    const std::vector<Shape> shapes = test::prefillShapes(GetParam());
    std::size_t next = 0;
    for (const MixerSpec& mixer : test::mixerCases(GetParam())) {
        const Shape& shape = shapes[next++ % shapes.size()];

        ASSERT_EQ(text(executedBackward(mixer, shape)), text(formulaOf(mixer, shape)))
            << info(mixer).id << " " << test::describe(mixer) << "batch " << shape.batch
            << ", sequence " << shape.sequence << ", d " << shape.dModel;
    }
}

INSTANTIATE_TEST_SUITE_P(AwkwardWidths,
                         MixerBackward,
                         testing::ValuesIn(test::awkwardWidths()),
                         testing::PrintToStringParamName());

TEST(AttentionBackward, ExecutesWhatItsFormulaSaysUnderAnyWindow)
{
    for (const AttentionAlgorithm algorithm :
         {AttentionAlgorithm::flash, AttentionAlgorithm::materialised}) {
        for (const int window : {0, 1, 2, 3, 4, 5, 20}) {
            for (const bool causal : {true, false}) {
                const MixerSpec mixer = Attention{.heads = 4,
                                                  .kvHeads = 2,
                                                  .causal = causal,
                                                  .window = window,
                                                  .algorithm = algorithm};
                const Shape shape{.batch = 2, .sequence = 5, .context = 5, .dModel = 12};

                EXPECT_EQ(text(executedBackward(mixer, shape)), text(formulaOf(mixer, shape)))
                    << "window " << window << ", causal " << causal;
            }
        }
    }
}

void expectMixerGradients(const MixerSpec& mixer, const Shape& shape)
{
    const WeightShapes shapes = weights(mixer, shape.dModel);
    auto weightValues = randomWeights<double>(shapes, 11);
    auto x = randomActivations<double>(operandsOf(mixer, shape).x, 12);
    const auto dy = randomActivations<double>(shape.activations(), 13);
    std::vector<double> dx(x.size(), -1.0);
    auto gradients = zeros<double>(shapes);
    backward<double>(mixer, shape, weightValues, x, dy, dx, gradients);

    std::vector<double> y(shape.activations());
    const auto loss = [&] {
        forward<double>(mixer, shape, weightValues, x, {}, {}, y);
        return std::inner_product(y.begin(), y.end(), dy.begin(), 0.0);
    };
    expectAllSlopes(x, dx, weightValues, gradients, shapes, loss);
}

TEST(MixerBackward, GradientsAreThoseOfCentralDifferences)
{
    for (const int dModel : {1, 7, 12}) {
        for (const Shape& shape : {Shape{2, 3, 3, dModel, 4}, Shape{1, 5, 5, dModel, 1}}) {
            for (const MixerSpec& mixer : test::mixerCases(dModel, 3)) {
                ASSERT_NO_FATAL_FAILURE(expectMixerGradients(mixer, shape))
                    << info(mixer).id << " " << test::describe(mixer) << ", d " << dModel;
            }
        }
    }
}

TEST(AttentionBackward, FlashAndMaterialisedGiveTheSameGradients)
{
    Attention attention{.heads = 4, .kvHeads = 2, .rotary = true, .window = 3};
    attention.qkNorm = QkNorm::perHead;
    attention.sinks = true;
    attention.softCap = 0.7;
    attention.positionBias = PositionBias::relative;
    const Shape shape{.batch = 2, .sequence = 5, .context = 5, .dModel = 16};
    const WeightShapes shapes = weights(attention, shape.dModel);
    const auto weightValues = randomWeights<double>(shapes, 1);
    const auto x = randomActivations<double>(shape.activations(), 2);
    const auto dy = randomActivations<double>(shape.activations(), 3);
    const auto gradientsOf = [&](AttentionAlgorithm algorithm) {
        attention.algorithm = algorithm;
        Weights<double> all = zeros<double>(shapes);
        std::vector<double> dx(x.size());
        backward<double>(attention, shape, weightValues, x, dy, dx, all);
        all.push_back(dx);
        return all;
    };

    const auto flash = gradientsOf(AttentionAlgorithm::flash);
    const auto materialised = gradientsOf(AttentionAlgorithm::materialised);

    for (std::size_t i = 0; i < flash.size(); ++i) {
        for (std::size_t j = 0; j < flash[i].size(); ++j) {
            ASSERT_NEAR(flash[i][j], materialised[i][j], 1e-12) << "tensor " << i;
        }
    }
}

} // namespace
} // namespace flopsmith::reference
