// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/run/run_control.h"

#include "core/ffn/dense.h"
#include "core/lab/run/worker_run.h"
#include "tests/core/lab/temporary_folder.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <thread>

namespace flopsmith {
namespace {

RunJob smallJob()
{
    const LabPlan plan{.task = FactsTask{.facts = 16, .classes = 4, .batch = 8},
                       .sizes = {.dModel = 8, .layers = 1, .heads = 1},
                       .seeds = 1,
                       .budget = {.kind = BudgetKind::steps, .steps = 6},
                       .tunes = false,
                       .evaluateEvery = 3};
    return {.plan = plannedLab(plan, {{.name = "dense", .ffn = DenseFfn{.dFf = 8}}}).value(),
            .key = {.arm = "dense", .seed = 1, .rate = 0.003, .tuning = false}};
}

TEST(RunControls, LetARunTakeSingleSteps)
{
    RunControl control;
    std::stop_source stop;
    std::int64_t taken = control.join();
    EXPECT_TRUE(control.awaitStep(taken, stop.get_token())); // it is not paused

    control.step();
    EXPECT_FALSE(control.holds(taken));
    EXPECT_TRUE(control.awaitStep(taken, stop.get_token()));
    EXPECT_TRUE(control.holds(taken));
    EXPECT_EQ(control.join(), 1); // a run that begins now

    stop.request_stop();
    EXPECT_FALSE(control.awaitStep(taken, stop.get_token()));
}

TEST(RunControls, FollowTheLinesOfAWorker)
{
    RunControl control;
    for (const std::string_view line : {kPauseLine, kStepLine, std::string_view("?"), kStepLine}) {
        obey(line, control);
    }
    EXPECT_EQ(control.state(), (RunControl::State{.paused = true, .singles = 2}));
    obey(kResumeLine, control);
    EXPECT_FALSE(control.state().paused);
}

// Single steps to the end give the same lines as a run that is never paused.
TEST(RunControls, ChangeNothingThatIsLearned)
{
    const auto losses = [](RunControl* control) {
        LabLog log{.plan = smallJob().plan, .machine = {}, .runs = {}};
        const RunSink sink{.write = [&](const LogLine& line) -> Status {
                               EXPECT_TRUE(applyLine(line, log)) << line.text();
                               return Done{};
                           },
                           .progress =
                               [&](const RunProgress& at) {
                                   if (control != nullptr && at.step < at.steps) {
                                       control->step();
                                   }
                               }};
        const auto end = trainRun(smallJob(), Engines{}, sink, steadyClock(), {}, control);
        EXPECT_TRUE(end.ok());
        return log.runs.at(0);
    };
    RunControl control;
    control.step();
    const LoggedRun stepped = losses(&control);
    const LoggedRun whole = losses(nullptr);

    EXPECT_EQ(stepped.curves.losses, whole.curves.losses);
    EXPECT_EQ(stepped.curves.gradientNorms, whole.curves.gradientNorms);
    EXPECT_EQ(stepped.parts, whole.parts);
}

// The norms of all parts together are the norm.
TEST(RunControls, SayWhichPartsLearn)
{
    LabLog log{.plan = smallJob().plan, .machine = {}, .runs = {}};
    const RunSink sink{.write = [&](const LogLine& line) -> Status {
        applyLine(line, log);
        return Done{};
    }};
    ASSERT_TRUE(trainRun(smallJob(), Engines{}, sink, steadyClock(), {}).ok());

    const LoggedRun& run = log.runs.at(0);
    ASSERT_GT(run.parts.size(), 1U);
    double sum = 0.0;
    for (const PartNorm& part : run.parts) {
        sum += part.norm * part.norm;
    }
    EXPECT_NEAR(std::sqrt(sum), run.curves.gradientNorms.back(), 1e-6); // of gradients in float
}

using PausedRuns = test::WithFolder;

// The model can be inspected while it waits.
TEST_F(PausedRuns, AreSavedAtTheStepWhereTheyWait)
{
    RunControl control;
    LabLog log{.plan = smallJob().plan, .machine = {}, .runs = {}};
    const RunSink sink{.write = [&](const LogLine& line) -> Status {
                           applyLine(line, log);
                           return Done{};
                       },
                       .progress =
                           [&](const RunProgress& at) {
                               if (at.step == 2) {
                                   control.pause();
                               }
                           }};
    RunJob job = smallJob();
    job.state = file("run.state");
    std::atomic<bool> isOver = false;
    std::jthread run([&](const std::stop_token& stop) {
        EXPECT_TRUE(trainRun(job, Engines{}, sink, steadyClock(), stop, &control).ok());
        isOver = true;
    });
    while (!std::filesystem::exists(job.state) && !isOver) {
        std::this_thread::yield();
    }
    const std::string waiting = contentOf(job.state);
    EXPECT_FALSE(isOver);
    run.request_stop();
    run.join();

    EXPECT_EQ(waiting, contentOf(job.state)); // saved again where it stopped
    EXPECT_EQ(log.runs.at(0).curves.losses.size(), 2U);
}

class MortalWorkers : public test::WithFolder
{
protected:
    Result<LabEnd> run(const std::string& script, std::shared_ptr<RunControl> control = nullptr)
    {
        const RunSink sink{.write = [this](const LogLine& line) -> Status {
            lines.push_back(line.text());
            heard(line.text());
            return Done{};
        }};
        return executorInProcess({"/bin/sh", "-c", script},
                                 std::move(control))(smallJob(), sink, {});
    }

    std::vector<std::string> lines;
    std::function<void(const std::string& line)> heard = [](const std::string&) {};
};

TEST_F(MortalWorkers, AreStartedAgainWhileTheyGetFurther)
{
    const std::string dies =
        R"(read job; case "$job" in *'"logged":0'*) echo '{"run":0,"steps":2}';; )"
        R"(*) echo '{"ended":"complete"}';; esac)";
    const auto end = run(dies);
    ASSERT_TRUE(end.ok()) << end.error().message;
    EXPECT_EQ(lines.size(), 1U);

    lines.clear();
    EXPECT_FALSE(run(R"(read job; echo '{"run":0,"steps":2}'; exit 3)").ok());
    EXPECT_EQ(lines.size(), 2U); // the second one got no further
}

TEST_F(MortalWorkers, GetWhatTheControlSays)
{
    auto control = std::make_shared<RunControl>();
    control->step();
    const auto end =
        run(R"(read job; read first; )"
            R"(case "$job" in *'"paused":true'*) echo "{\"run\":0,\"parts\":\"$first\"}";; esac; )"
            R"(echo '{"ended":"stopped"}')",
            control);
    ASSERT_TRUE(end.ok()) << end.error().message;
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(lines[0], "{\"run\":0,\"parts\":\"step\"}\n");
}

// The second program waits where the first one died; the next that it hears is what comes then.
TEST_F(MortalWorkers, DoNotTakeTheSingleStepsOfThoseThatDied)
{
    auto control = std::make_shared<RunControl>();
    control->step();
    control->step();
    heard = [&](const std::string& line) {
        if (line.find("second") != std::string::npos) {
            control->resume();
        }
    };
    const auto end = run(
        R"(read job; case "$job" in *'"logged":0'*) read a; read b; echo '{"run":0,"steps":2}';; )"
        R"(*) echo '{"run":0,"parts":"second"}'; read next; )"
        R"(echo "{\"run\":0,\"parts\":\"$next\"}"; )"
        R"(echo '{"ended":"stopped"}';; esac)",
        control);

    ASSERT_TRUE(end.ok()) << end.error().message;
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[2], "{\"run\":0,\"parts\":\"resume\"}\n");
}

} // namespace
} // namespace flopsmith
