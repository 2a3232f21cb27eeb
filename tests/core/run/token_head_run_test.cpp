// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/model_run.h"

#include <gtest/gtest.h>

#include <cstddef>

namespace flopsmith {
namespace {

TEST(TokenHead, GivesEveryTokenItsClasses)
{
    constexpr int kClasses = 7;
    Model model;
    model.dModel = 24;
    model.embedding.vocab = 11;
    model.runs = {{Block{}, 2}};
    model.head = {.kind = HeadKind::tokens, .bias = true, .classes = kClasses};
    const Result<ModelPlan> plan = planOf({model, {.batch = 3, .sequence = 5}});
    ASSERT_TRUE(plan.ok());
    const Weights<double> weights = randomWeights<double>(plan->shapes(), 3);
    ModelInputs<double> inputs;
    inputs.tokens.assign(15, 2);

    const auto run = forward<double>(*plan, weights, inputs);

    ASSERT_TRUE(run.ok());
    EXPECT_EQ(run->outputs.size(), 15 * std::size_t{kClasses});
}

} // namespace
} // namespace flopsmith
