// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/plan/lab_plan.h"

#include "core/ffn/dense.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

Status planned(const TaskSpec& task, LabMixer mixer)
{
    const LabPlan plan{.task = task, .sizes = {.dModel = 8, .heads = 2, .mixer = mixer}};
    const auto lab = plannedLab(plan, {{.name = "dense", .ffn = DenseFfn{.dFf = 8}}});
    return lab ? Status(Done{}) : lab.error();
}

// Who sees all tokens can copy a label that stands among them.
TEST(LabPlans, RefuseAMixerThatSeesTheLabels)
{
    for (const TaskSpec& task : {TaskSpec(TextTask{}),
                                 TaskSpec(GrammarTask{}),
                                 TaskSpec(DyckTask{}),
                                 TaskSpec(RegressionTask{})}) {
        const std::string id(info(task).id);
        EXPECT_TRUE(planned(task, LabMixer::attention).ok()) << id;
        const Status refused = planned(task, LabMixer::fourier);
        ASSERT_FALSE(refused.ok()) << id;
        EXPECT_NE(refused.error().message.find("mixer: fourier"), std::string::npos);
        EXPECT_NE(refused.error().message.find(id), std::string::npos) << refused.error().message;
    }
    for (const TaskSpec& task :
         {TaskSpec(RecallTask{}), TaskSpec(InductionTask{}), TaskSpec(ParityTask{})}) {
        EXPECT_TRUE(planned(task, LabMixer::fourier).ok()) << info(task).id;
    }
}

} // namespace
} // namespace flopsmith
