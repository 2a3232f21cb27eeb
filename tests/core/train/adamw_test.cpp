// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/adamw.h"

#include <gtest/gtest.h>

#include <vector>

namespace flopsmith {
namespace {

const WeightShapes kTwoTensors{{"a", 1, 1}, {"b", 1, 1}};

TEST(AdamW, UpdatesAsComputedByHand)
{
    const AdamW optimizer{.decay = 0.1};
    std::vector<double> weights{1.0};
    std::vector<double> moments{0.0, 0.0};

    updateTensor<double>(
        optimizer, {.decays = true}, 0.1, 1, std::vector<double>{0.5}, moments, weights);
    EXPECT_NEAR(weights[0], 0.890000002, 1e-12); // 0.99 − 0.1·0.5/(0.5 + 10⁻⁸)
    EXPECT_NEAR(moments[0], 0.05, 1e-15);
    EXPECT_NEAR(moments[1], 0.005, 1e-15);

    updateTensor<double>(
        optimizer, {.decays = true}, 0.1, 2, std::vector<double>{-0.25}, moments, weights);
    EXPECT_NEAR(weights[0], 0.8543892313024339, 1e-12);
    EXPECT_NEAR(moments[0], 0.02, 1e-15);
    EXPECT_NEAR(moments[1], 0.00615, 1e-15);
}

TEST(AdamW, DecaysOnlyWhatDecays)
{
    for (const bool decays : {false, true}) {
        std::vector<double> weights{2.0};
        std::vector<double> moments{0.0, 0.0};

        updateTensor<double>(
            {.decay = 0.5}, {.decays = decays}, 0.1, 1, std::vector<double>{0.0}, moments, weights);

        EXPECT_DOUBLE_EQ(weights[0], decays ? 1.9 : 2.0);
    }
}

TEST(AdamW, MultipliesTheRateOfTensorsAndOfColumns)
{
    const std::vector<double> gradient{1.0, 1.0, 1.0, 1.0};
    std::vector<double> plain(4, 0.0);
    std::vector<double> columns(4, 0.0);
    std::vector<double> moments(8, 0.0);
    std::vector<double> other(8, 0.0);

    updateTensor<double>({}, {.rate = 3.0}, 0.01, 1, gradient, moments, plain);
    updateTensor<double>({},
                         {.rate = 3.0, .columns = {{.rate = 1.0}, {.rate = 0.5}}},
                         0.01,
                         1,
                         gradient,
                         other,
                         columns);

    EXPECT_NEAR(plain[0], -0.03, 1e-9);
    EXPECT_EQ(columns[0], plain[0]);
    EXPECT_EQ(columns[2], plain[0]);
    EXPECT_NEAR(columns[1], -0.015, 1e-9);
    EXPECT_NEAR(columns[3], -0.015, 1e-9);
    EXPECT_EQ(moments, other);
}

TEST(AdamW, KeepsTheWeightsAtRateZero)
{
    std::vector<float> weights{0.3F, -1.7F};
    const std::vector<float> before = weights;
    std::vector<float> moments(4, 0.0F);

    updateTensor<float>(
        {}, {.decays = true}, 0.0, 1, std::vector<float>{1.0F, 0.0F}, moments, weights);

    EXPECT_EQ(weights, before);
}

TEST(Clipping, ScalesAllGradientsTogether)
{
    Weights<double> gradients{{3.0}, {4.0}};

    EXPECT_DOUBLE_EQ(gradientNorm<double>(kTwoTensors, gradients), 5.0);
    EXPECT_DOUBLE_EQ(clipToNorm<double>(kTwoTensors, 1.0, gradients), 5.0);
    EXPECT_NEAR(gradients[0][0], 0.6, 1e-6);
    EXPECT_NEAR(gradients[1][0], 0.8, 1e-6);
}

TEST(Clipping, LeavesShortGradients)
{
    Weights<double> gradients{{3.0}, {4.0}};
    const Weights<double> before = gradients;

    EXPECT_DOUBLE_EQ(clipToNorm<double>(kTwoTensors, 10.0, gradients), 5.0);
    EXPECT_EQ(gradients, before);
}

TEST(Clipping, LeavesOutWhatDoesNotTrain)
{
    WeightShapes shapes = kTwoTensors;
    shapes[1].trainable = false;
    Weights<double> gradients{{3.0}, {4.0}};

    EXPECT_DOUBLE_EQ(clipToNorm<double>(shapes, 1.0, gradients), 3.0);
    EXPECT_EQ(gradients[1][0], 4.0);
}

} // namespace
} // namespace flopsmith
