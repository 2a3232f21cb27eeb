// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/model_run.h"
#include "tests/support/small_scenario.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

class StoppedRun : public testing::Test
{
protected:
    StoppedRun() { m_stop.request_stop(); }

    const ModelPlan m_plan = planOf(test::smallPreset("gpt2")).value();
    const Weights<double> m_weights = randomWeights<double>(m_plan.shapes(), 7);
    const ModelInputs<double> m_inputs = randomInputs<double>(m_plan, 8);
    std::stop_source m_stop;
};

TEST_F(StoppedRun, GivesNoOutputs)
{
    const auto run = forward(m_plan, m_weights, m_inputs, Keep::forBackward, m_stop.get_token());

    ASSERT_FALSE(run.ok());
    EXPECT_EQ(run.error().message, "stopped");
}

TEST_F(StoppedRun, GivesNoGradients)
{
    const auto run = forward(m_plan, m_weights, m_inputs, Keep::forBackward);
    ASSERT_TRUE(run.ok()) << run.error().message;
    const std::vector<double> dOutputs(run->outputs.size(), 1.0);

    const auto gradients =
        backward<double>(m_plan, m_weights, m_inputs, *run, dOutputs, m_stop.get_token());

    ASSERT_FALSE(gradients.ok());
    EXPECT_EQ(gradients.error().message, "stopped");
    EXPECT_TRUE(backward<double>(m_plan, m_weights, m_inputs, *run, dOutputs).ok());
}

} // namespace
} // namespace flopsmith
