// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/train/batch_loss.h"

#include "tests/core/kernels/reference/counting_run.h"

#include <gtest/gtest.h>

#include <cmath>

namespace flopsmith {
namespace {

using reference::Counted;
using reference::executed;
using reference::executionOf;

TEST(BatchLoss, ComparesLabelledRowsAlone)
{
    const std::vector<double> outputs{9.0, -9.0, 0.0, std::log(3.0)};
    const TrainingTargets<double> targets{.labels = {kNoLabel, 1}};

    const auto loss = batchLoss<double>(outputs, targets);

    ASSERT_TRUE(loss.ok());
    EXPECT_NEAR(loss->mean, -std::log(0.75), 1e-12);
    EXPECT_EQ(loss->compared, 1U);
    EXPECT_EQ(loss->right, 1U);
    EXPECT_EQ(loss->dOutputs[0], 0.0);
    EXPECT_EQ(loss->dOutputs[1], 0.0);
    EXPECT_NEAR(loss->dOutputs[2], 0.25, 1e-12);
    EXPECT_NEAR(loss->dOutputs[3], -0.25, 1e-12);
}

TEST(BatchLoss, ComparesNumbersAtTheirPlaces)
{
    const std::vector<double> outputs{1.0, 5.0, 3.0};

    const auto some = batchLoss<double>(outputs, {.values = {2.0, 1.0}, .places = {0, 2}});
    const auto all = batchLoss<double>(outputs, {.values = {1.0, 5.0, 6.0}});

    ASSERT_TRUE(some.ok() && all.ok());
    EXPECT_DOUBLE_EQ(some->mean, 2.5);
    EXPECT_EQ(some->dOutputs, (std::vector<double>{-1.0, 0.0, 2.0}));
    EXPECT_DOUBLE_EQ(all->mean, 3.0);
    EXPECT_EQ(all->compared, 3U);
}

TEST(BatchLoss, ExecutesWhatIsCounted)
{
    std::vector<Counted> outputs;
    for (int i = 0; i < 12; ++i) {
        outputs.emplace_back(0.1 * i * i);
    }
    const auto run = [&](const TrainingTargets<Counted>& targets) {
        return text(executed([&] { EXPECT_TRUE(batchLoss<Counted>(outputs, targets).ok()); }));
    };

    EXPECT_EQ(run({.labels = {0, kNoLabel, 2, 1}}), text(executionOf(crossEntropyStepCount(3, 3))));
    EXPECT_EQ(run({.values = std::vector<Counted>(12, Counted(1.0))}),
              text(executionOf(squaredErrorStepCount(12))));
}

TEST(BatchLoss, RefusesWhatDoesNotFit)
{
    const std::vector<double> outputs(6, 0.0);
    const auto refusal = [&](const TrainingTargets<double>& targets) {
        const auto loss = batchLoss<double>(outputs, targets);
        return loss ? std::string() : loss.error().message;
    };

    EXPECT_NE(refusal({.labels = {0, 3}}), "");
    EXPECT_NE(refusal({.labels = {0, -2}}), "");
    EXPECT_NE(refusal({.labels = {kNoLabel, kNoLabel}}), "");
    EXPECT_NE(refusal({.labels = {0, 1, 1, 1}}), "");
    EXPECT_NE(refusal({.values = {1.0}}), "");
    EXPECT_NE(refusal({.values = {1.0}, .places = {6}}), "");
    EXPECT_NE(refusal({}), "");
    EXPECT_EQ(refusal({.labels = {0, 2}}), "");
}

} // namespace
} // namespace flopsmith
