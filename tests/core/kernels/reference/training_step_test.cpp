// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/reference/layer/loss.h"
#include "core/kernels/reference/layer/optimizer.h"
#include "core/layer/loss_cost.h"
#include "core/layer/optimizer_cost.h"
#include "tests/core/kernels/reference/counting_run.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>

// What a training step executes besides forward and backward passes: loss and update.
namespace flopsmith::reference {
namespace {

template <class S>
std::vector<S> someNumbers(std::size_t n)
{
    std::vector<S> numbers;
    for (std::size_t i = 0; i < n; ++i) {
        numbers.emplace_back(std::sin(1.7 * static_cast<double>(i) + 0.3));
    }
    return numbers;
}

std::vector<int> labelsOf(int rows, int classes)
{
    std::vector<int> labels(static_cast<std::size_t>(rows));
    for (int row = 0; row < rows; ++row) {
        labels[static_cast<std::size_t>(row)] = (3 * row + 1) % classes;
    }
    return labels;
}

double lossOf(const std::vector<double>& logits, const std::vector<int>& labels)
{
    std::vector<double> exponentials(logits.size());
    std::vector<double> totals(labels.size());
    return crossEntropy<double>(logits, labels, exponentials, totals);
}

std::vector<double> lossGradient(const std::vector<double>& logits, const std::vector<int>& labels)
{
    std::vector<double> exponentials(logits.size());
    std::vector<double> totals(labels.size());
    crossEntropy<double>(logits, labels, exponentials, totals);
    std::vector<double> dx(logits.size());
    crossEntropyBackward<double>(exponentials, totals, labels, dx);
    return dx;
}

TEST(CrossEntropyReference, OfEqualLogitsIsTheLogarithmOfTheClasses)
{
    const std::vector<double> logits(15, 0.25);

    EXPECT_NEAR(lossOf(logits, labelsOf(3, 5)), std::log(5.0), 1e-12);
}

TEST(CrossEntropyReference, IsNotMovedByAConstantAddedToARow)
{
    std::vector<double> logits = someNumbers<double>(14);
    const std::vector<int> labels = labelsOf(2, 7);
    const double before = lossOf(logits, labels);
    for (std::size_t i = 0; i < 7; ++i) {
        logits[i] += 900.0;
    }

    EXPECT_NEAR(lossOf(logits, labels), before, 1e-9);
}

TEST(CrossEntropyReference, GradientIsTheSlopeOfTheLoss)
{
    const std::vector<double> logits = someNumbers<double>(3 * 5);
    const std::vector<int> labels = labelsOf(3, 5);
    const std::vector<double> gradient = lossGradient(logits, labels);
    constexpr double kStep = 1e-5;

    for (std::size_t i = 0; i < logits.size(); ++i) {
        std::vector<double> up = logits;
        std::vector<double> down = logits;
        up[i] += kStep;
        down[i] -= kStep;
        const double slope = (lossOf(up, labels) - lossOf(down, labels)) / (2 * kStep);
        EXPECT_NEAR(gradient[i], slope, 1e-9) << i;
    }
}

TEST(CrossEntropyReference, ExecutesWhatTheFormulaSays)
{
    for (const int rows : {1, 2, 7}) {
        for (const int classes : {1, 2, 13}) {
            const auto n = static_cast<std::size_t>(rows * classes);
            const std::vector<Counted> logits = someNumbers<Counted>(n);
            const std::vector<int> labels = labelsOf(rows, classes);
            std::vector<Counted> exponentials(n);
            std::vector<Counted> totals(static_cast<std::size_t>(rows));
            std::vector<Counted> dx(n);

            const Executed forward =
                executed([&] { crossEntropy<Counted>(logits, labels, exponentials, totals); });
            const Executed backward =
                executed([&] { crossEntropyBackward<Counted>(exponentials, totals, labels, dx); });

            EXPECT_EQ(text(forward),
                      text(executionOf(crossEntropyCost<Count>(rows, classes).count)));
            EXPECT_EQ(text(backward),
                      text(executionOf(crossEntropyBackwardCost<Count>(rows, classes).count)));
        }
    }
}

constexpr std::array kOptimizers{Optimizer::sgd,
                                 Optimizer::momentum,
                                 Optimizer::adam,
                                 Optimizer::adamMixed};

std::vector<double> after(Optimizer optimizer, int steps, const std::vector<double>& start)
{
    std::vector<double> weights = start;
    std::vector<double> state(weights.size() * static_cast<std::size_t>(stateElements(optimizer)));
    for (int step = 1; step <= steps; ++step) {
        const std::vector<double> gradients = weights; // of |w|²/2
        update<double>(optimizer, {.learningRate = 0.1, .step = step}, gradients, state, weights);
    }
    return weights;
}

TEST(OptimizerReference, ExecutesWhatTheFormulaSays)
{
    for (const Optimizer optimizer : kOptimizers) {
        for (const int n : {1, 7}) {
            const auto size = static_cast<std::size_t>(n);
            const std::vector<Counted> gradients = someNumbers<Counted>(size);
            std::vector<Counted> state(size * static_cast<std::size_t>(stateElements(optimizer)),
                                       Counted(0.0));
            std::vector<Counted> weights = someNumbers<Counted>(size);

            const Executed counts =
                executed([&] { update<Counted>(optimizer, {}, gradients, state, weights); });

            EXPECT_EQ(text(counts), text(executionOf(optimizerCost<Count>(optimizer, n).count)))
                << enumName(optimizer);
        }
    }
}

TEST(OptimizerReference, EveryOneDescends)
{
    const std::vector<double> start = someNumbers<double>(5);
    const auto square = [](const std::vector<double>& w) {
        return std::inner_product(w.begin(), w.end(), w.begin(), 0.0);
    };

    for (const Optimizer optimizer : kOptimizers) {
        EXPECT_LT(square(after(optimizer, 20, start)), 0.5 * square(start)) << enumName(optimizer);
    }
}

// The bias corrections make the first step η·sign(g), whatever the gradient's size.
TEST(OptimizerReference, AdamsFirstStepHasTheLengthOfTheLearningRate)
{
    const std::vector<double> start{3.0, -0.02};
    const std::vector<double> weights = after(Optimizer::adam, 1, start);

    EXPECT_NEAR(weights[0], 2.9, 1e-6);
    EXPECT_NEAR(weights[1], 0.08, 1e-6);
}

} // namespace
} // namespace flopsmith::reference
