// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/run/lab_run.h"

#include "core/ffn/dense.h"
#include "core/lab/results/lab_results.h"
#include "core/lab/run/run_state.h"
#include "core/lab/task/learner.h"
#include "tests/core/lab/temporary_folder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <memory>

namespace flopsmith {
namespace {

LabPlan factsPlan(std::int64_t steps)
{
    const LabPlan plan{.task = FactsTask{.facts = 16, .classes = 4, .batch = 8},
                       .sizes = {.dModel = 8, .layers = 1, .heads = 1},
                       .seeds = 2,
                       .budget = {.kind = BudgetKind::steps, .steps = steps},
                       .baseRate = 1e-2,
                       .tunes = false,
                       .evaluateEvery = 5};
    return plannedLab(plan, {{.name = "dense", .ffn = DenseFfn{.dFf = 8}}}).value();
}

// A second for each look at the clock.
Clock countingClock()
{
    return [now = std::make_shared<double>(0.0)] { return *now += 1.0; };
}

LabSettings quiet()
{
    return {.executors = {executorHere({}, countingClock())}, .saveEvery = 1e9};
}

class LabRuns : public test::WithFolder
{
protected:
    LabLog complete(const std::string& name, const LabPlan& plan) const
    {
        LabLogFile log = LabLogFile::open(file(name), plan, "m").value();
        const auto end = runLab(log, quiet(), {});
        EXPECT_TRUE(end.ok()) << end.error().message;
        EXPECT_EQ(*end, LabEnd::complete);
        return readLabLog(file(name)).value();
    }

    // Trains until it is stopped after this many steps of all runs.
    void stopAfter(const std::string& name, const LabPlan& plan, int steps) const
    {
        LabLogFile log = LabLogFile::open(file(name), plan, "m").value();
        std::stop_source source;
        LabSettings settings = quiet();
        settings.progress = [&, left = steps](const LabProgress&) mutable {
            if (--left == 0) {
                source.request_stop();
            }
        };
        const auto end = runLab(log, settings, source.get_token());
        EXPECT_TRUE(end.ok()) << end.error().message;
        EXPECT_EQ(*end, LabEnd::stopped);
    }
};

void expectSameNumbers(const LabLog& a, const LabLog& b)
{
    ASSERT_EQ(a.runs.size(), b.runs.size());
    for (std::size_t i = 0; i < a.runs.size(); ++i) {
        EXPECT_EQ(a.runs[i].key, b.runs[i].key);
        EXPECT_EQ(a.runs[i].end, b.runs[i].end);
        EXPECT_EQ(a.runs[i].curves.losses, b.runs[i].curves.losses);
        EXPECT_EQ(a.runs[i].curves.gradientNorms, b.runs[i].curves.gradientNorms);
        ASSERT_EQ(a.runs[i].points.size(), b.runs[i].points.size());
        for (std::size_t k = 0; k < a.runs[i].points.size(); ++k) {
            EXPECT_EQ(a.runs[i].points[k].step, b.runs[i].points[k].step);
            EXPECT_EQ(a.runs[i].points[k].loss, b.runs[i].points[k].loss);
            EXPECT_EQ(a.runs[i].points[k].flops, b.runs[i].points[k].flops);
        }
    }
}

TEST_F(LabRuns, LogEveryStepOfEveryRun)
{
    const LabPlan plan = factsPlan(12);
    const LabLog log = complete("log.jsonl", plan);

    ASSERT_EQ(log.runs.size(), 6U); // dense, none and linear, two seeds
    for (const LoggedRun& run : log.runs) {
        EXPECT_EQ(run.end, RunEnd::finished);
        EXPECT_EQ(run.curves.losses.size(), 12U);
        std::vector<std::int64_t> steps;
        for (const LoggedPoint& point : run.points) {
            steps.push_back(point.step);
        }
        EXPECT_EQ(steps, (std::vector<std::int64_t>{0, 5, 10, 12}));
        EXPECT_EQ(run.points.back().seconds, 12.0);
        EXPECT_DOUBLE_EQ(run.points[2].flops, 2.0 * run.points[1].flops);
        EXPECT_EQ(run.points[0].flops, 0.0);
    }
    EXPECT_GT(log.runs[0].points.back().flops, log.runs[1].points.back().flops);
    EXPECT_EQ(log.runs[1].key.arm, "none");
    EXPECT_EQ(log.runs[1].parameters, 1);
    EXPECT_GT(log.runs[0].calibration.at("ffn"), 0.0);
    EXPECT_TRUE(log.runs[1].calibration.empty());
    EXPECT_FALSE(std::filesystem::exists(statePath(file("log.jsonl"), 0)));
}

TEST_F(LabRuns, CountWhatTheLearnerExecutes)
{
    const LabPlan plan = factsPlan(5);
    const LabLog log = complete("log.jsonl", plan);
    const auto task = makeTask(plan.task, 8, 1).value();
    const auto learner =
        learnerOf<float>(*task, plan.sizes, plan.arms[0].ffn, settingsOf(plan, 1e-2, 5), 1).value();

    EXPECT_EQ(log.runs[0].points.back().flops, 5.0 * toDouble(learner.cost.flops(8)));
}

TEST_F(LabRuns, RepeatThemselves)
{
    expectSameNumbers(complete("one.jsonl", factsPlan(12)), complete("two.jsonl", factsPlan(12)));
}

TEST_F(LabRuns, SideBySideHaveTheNumbersOfOneAfterTheOther)
{
    const LabPlan plan = factsPlan(12);
    const LabLog alone = complete("alone.jsonl", plan);
    LabLogFile log = LabLogFile::open(file("three.jsonl"), plan, "m").value();
    const LabSettings settings{.executors = std::vector<RunExecutor>(3, executorHere({}))};
    ASSERT_EQ(runLab(log, settings, {}).value(), LabEnd::complete);

    const LabLog three = readLabLog(file("three.jsonl")).value();
    ASSERT_EQ(three.runs.size(), alone.runs.size());
    EXPECT_EQ(three.damagedLines, 0U);
    for (const LoggedRun& run : alone.runs) {
        const LoggedRun* same = three.run(run.key);
        ASSERT_NE(same, nullptr);
        EXPECT_EQ(same->curves.losses, run.curves.losses);
        EXPECT_EQ(same->end, run.end);
    }
}

TEST_F(LabRuns, GoOnBitForBitWhereTheyWereStopped)
{
    const LabPlan plan = factsPlan(12);
    const LabLog whole = complete("whole.jsonl", plan);

    for (const int steps : {1, 5, 7, 12, 19}) {
        const std::string name = "stopped" + std::to_string(steps) + ".jsonl";
        stopAfter(name, plan, steps);
        expectSameNumbers(complete(name, plan), whole);
    }
}

TEST_F(LabRuns, GoOnAfterAKill)
{
    const LabPlan plan = factsPlan(12);
    const LabLog whole = complete("whole.jsonl", plan);
    const std::string text = contentOf(file("whole.jsonl"));

    for (const double share : {0.3, 0.55, 0.8}) {
        const auto length = static_cast<std::size_t>(share * static_cast<double>(text.size()));
        const std::string name = "killed.jsonl";
        written(name, text.substr(0, length));
        expectSameNumbers(complete(name, plan), whole);
    }
}

TEST_F(LabRuns, BeginAnewWhereTheSavedStateIsNoneOfTheirs)
{
    const LabPlan plan = factsPlan(12);
    const LabLog whole = complete("whole.jsonl", plan);
    stopAfter("log.jsonl", plan, 7);
    written("log.jsonl.state", "rubbish");

    expectSameNumbers(complete("log.jsonl", plan), whole);
}

TEST_F(LabRuns, TuneAndLetOthersGoOnWhereAnArmDiverges)
{
    LabPlan plan = factsPlan(30);
    plan.tunes = true;
    plan.baseRate = 10.0;
    plan.seeds = 1;
    const LabLog log = complete("log.jsonl", plan);

    int diverged = 0;
    for (const LoggedRun& run : log.runs) {
        diverged += run.end == RunEnd::diverged ? 1 : 0;
        EXPECT_NE(run.end, RunEnd::open);
    }
    EXPECT_GT(diverged, 0);
    EXPECT_EQ(nextRun(log), std::nullopt);
}

TEST_F(LabRuns, GiveEachArmTheStepsItsFlopsBuy)
{
    LabPlan plan = factsPlan(12);
    const LabLog bySteps = complete("steps.jsonl", plan);
    const double dense = bySteps.runs[0].points.back().flops;
    plan.budget = {.kind = BudgetKind::flops, .flops = static_cast<Count>(dense)};
    plan.evaluateEvery = 1'000;

    const LabLog log = complete("flops.jsonl", plan);

    EXPECT_EQ(log.runs[0].steps, 12);
    EXPECT_GT(log.runs[1].steps, 12);
    for (const LoggedRun& run : log.runs) {
        EXPECT_LE(run.points.back().flops, dense);
        EXPECT_EQ(run.points.back().step, run.steps);
    }
}

TEST_F(LabRuns, KeepModelsOfText)
{
    LabPlan plan{.task = GrammarTask{.sequence = 6, .batch = 2, .test = 2},
                 .sizes = {.dModel = 8, .layers = 1, .heads = 1},
                 .seeds = 1,
                 .budget = {.kind = BudgetKind::steps, .steps = 3},
                 .tunes = false,
                 .precision = LabPrecision::float64};
    plan = plannedLab(plan, {}).value();

    const LabLog log = complete("log.jsonl", plan);

    for (const LoggedRun& run : log.runs) {
        EXPECT_TRUE(std::filesystem::exists(modelPath(file("log.jsonl"), run.key)));
    }
}

TEST_F(LabRuns, KeepTheStateOfARunWhoseEndCannotBeWritten)
{
    LabPlan plan{.task = GrammarTask{.sequence = 6, .batch = 2, .test = 2},
                 .sizes = {.dModel = 8, .layers = 1, .heads = 1},
                 .seeds = 1,
                 .budget = {.kind = BudgetKind::steps, .steps = 3},
                 .tunes = false};
    plan = plannedLab(plan, {}).value();
    written("log.jsonl.models", "a file where a folder is to be");
    LabSettings settings = quiet();
    settings.saveEvery = 0.0;
    {
        LabLogFile log = LabLogFile::open(file("log.jsonl"), plan, "m").value();
        EXPECT_FALSE(runLab(log, settings, {}).ok());
    }

    EXPECT_TRUE(std::filesystem::exists(statePath(file("log.jsonl"), 0)));
}

TEST(RunStates, BelongToARunByItsNumbersAndNotByItsWords)
{
    const LabPlan plan = factsPlan(12);
    const RunKey key{.arm = "dense", .seed = 2, .rate = 1e-2};
    SafetensorsMetadata metadata = runMetadata(plan, key, {}, {});
    metadata["run"] = "in the words of an earlier version";

    EXPECT_TRUE(isOfRun(metadata, plan, key, {}));
    EXPECT_FALSE(isOfRun(metadata, plan, {.arm = "dense", .seed = 1, .rate = 1e-2}, {}));
    EXPECT_FALSE(isOfRun(metadata, plan, key, LabView::flops));
}

TEST_F(LabRuns, KeepAModelForEachArmWhateverItsName)
{
    const auto model = [](const std::string& arm) {
        return modelPath("l.jsonl", {.arm = arm, .seed = 2});
    };

    EXPECT_EQ(model("token_feedback-64"), "l.jsonl.models/token_feedback-64-2.safetensors");
    EXPECT_EQ(model("\xCE\xB1"), "l.jsonl.models/%CE%B1-2.safetensors");
    EXPECT_EQ(model("../a b"), "l.jsonl.models/%2E%2E%2Fa%20b-2.safetensors");
    EXPECT_NE(model("\xCE\xB1"), model("\xCE\xB2"));
    EXPECT_NE(model("a b"), model("a_b"));
    EXPECT_NE(model("a b"), model("a%20b"));
}

// A run of a larger number would be a damaged line, and so be trained again without end.
TEST_F(LabRuns, OfAFullLogAreRefused)
{
    LabLogFile log = LabLogFile::open(file("l.jsonl"), factsPlan(5), "m").value();
    const RunKey other{.arm = "dense", .seed = 9, .rate = 0.5, .tuning = false};
    ASSERT_TRUE(log.append(startLine(kMaxLoggedRuns - 2, other, 5, 1)).ok());

    const auto end = runLab(log, quiet(), {});

    ASSERT_FALSE(end.ok());
    EXPECT_NE(end.error().message.find("at most 100000 runs"), std::string::npos);
    EXPECT_EQ(log.log().runs.size(), kMaxLoggedRuns); // the one that fitted was trained
    EXPECT_EQ(log.log().runs.back().end, RunEnd::finished);
}

TEST_F(LabRuns, RefuseATaskThatCannotBeMade)
{
    LabPlan plan = factsPlan(3);
    plan.task = TextTask{.file = file("none.txt")};
    LabLogFile log = LabLogFile::open(file("log.jsonl"), plan, "m").value();

    const auto end = runLab(log, quiet(), {});

    ASSERT_FALSE(end.ok());
    EXPECT_NE(end.error().message.find("none.txt"), std::string::npos);
}

// What theory says of students: no FFN explains nothing, a linear map what its closed form says, up
// to what a teacher of few features scatters.
TEST_F(LabRuns, MeetTheClosedForms)
{
    LabPlan plan{.task = TeacherTask{.batch = 64, .test = 1'024, .draws = 2'048},
                 .sizes = {.dModel = 12, .layers = 1, .heads = 1},
                 .seeds = 2,
                 .budget = {.kind = BudgetKind::steps, .steps = 300},
                 .baseRate = 1e-2,
                 .tunes = false,
                 .evaluateEvery = 300};
    plan = plannedLab(plan, {}).value();

    const LabResults results = labResults(complete("log.jsonl", plan), LabView::steps);

    for (const auto& each : results.arm("none")->points) {
        EXPECT_NEAR(each.second.score, 0.0, 0.02);
    }
    for (const auto& each : results.arm("linear")->points) {
        EXPECT_NEAR(each.second.score, 0.72, 0.15);
    }
}

} // namespace
} // namespace flopsmith
