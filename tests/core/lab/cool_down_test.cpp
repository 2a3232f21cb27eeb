// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/dense.h"
#include "core/lab/results/lab_results.h"
#include "core/lab/results/verdict.h"
#include "core/lab/run/lab_run.h"
#include "tests/core/lab/temporary_folder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

// Branches of runs that cool down for views other than the budget's.
namespace flopsmith {
namespace {

LabPlan planWith(std::vector<LabView> branches, std::int64_t steps = 40)
{
    const LabPlan plan{.task = FactsTask{.facts = 16, .classes = 4, .batch = 8},
                       .sizes = {.dModel = 8, .layers = 1, .heads = 1},
                       .seeds = 2,
                       .budget = {.kind = BudgetKind::steps, .steps = steps},
                       .baseRate = 1e-2,
                       .tunes = false,
                       .evaluateEvery = 5,
                       .branches = std::move(branches)};
    return plannedLab(plan, {{.name = "dense", .ffn = DenseFfn{.dFf = 8}}}).value();
}

// A step of the dense arm takes two seconds, one of the others one.
RunExecutor slowDense()
{
    return [](const RunJob& job, const RunSink& sink, const std::stop_token& stop) {
        const double tick = job.key.arm == "dense" ? 2.0 : 1.0;
        const Clock clock = [tick, now = std::make_shared<double>(0.0)] { return *now += tick; };
        return executorHere({}, clock)(job, sink, stop);
    };
}

class CoolDowns : public test::WithFolder
{
protected:
    static LabSettings settings(std::size_t executors)
    {
        return {.executors = std::vector<RunExecutor>(executors, slowDense()), .saveEvery = 1e9};
    }

    LabLog complete(const std::string& name, const LabPlan& plan, std::size_t executors = 1) const
    {
        LabLogFile log = LabLogFile::open(file(name), plan, "m").value();
        const auto end = runLab(log, settings(executors), {});
        EXPECT_TRUE(end.ok()) << end.error().message;
        EXPECT_EQ(*end, LabEnd::complete);
        const LabLog read = readLabLog(file(name)).value();
        EXPECT_EQ(read.damagedLines, 0U);
        return read;
    }

    void stopAfter(const std::string& name, const LabPlan& plan, int steps) const
    {
        LabLogFile log = LabLogFile::open(file(name), plan, "m").value();
        std::stop_source source;
        LabSettings stopping = settings(1);
        stopping.progress = [&, left = steps](const LabProgress&) mutable {
            if (--left == 0) {
                source.request_stop();
            }
        };
        const auto end = runLab(log, stopping, source.get_token());
        EXPECT_TRUE(end.ok()) << end.error().message;
        EXPECT_EQ(*end, LabEnd::stopped);
    }
};

void expectSameRuns(const LabLog& a, const LabLog& b)
{
    ASSERT_EQ(a.runs.size(), b.runs.size());
    for (const LoggedRun& run : a.runs) {
        const LoggedRun* same = b.run(run.key);
        ASSERT_NE(same, nullptr) << keyText(run.key);
        EXPECT_EQ(same->curves.losses, run.curves.losses) << keyText(run.key);
        ASSERT_EQ(same->points.size(), run.points.size());
        EXPECT_EQ(same->points.back().loss, run.points.back().loss);
        ASSERT_EQ(same->branches.size(), run.branches.size()) << keyText(run.key);
        for (const LoggedBranch& branch : run.branches) {
            const LoggedBranch* other = same->branch(branch.view);
            ASSERT_NE(other, nullptr);
            EXPECT_EQ(other->from, branch.from);
            EXPECT_EQ(other->end, branch.end);
            EXPECT_EQ(other->curves.losses, branch.curves.losses);
            EXPECT_EQ(other->points.back().loss, branch.points.back().loss);
        }
    }
}

TEST_F(CoolDowns, LeaveTheRunAsItIs)
{
    const LabLog plain = complete("plain.jsonl", planWith({}));
    const LabLog log = complete("log.jsonl", planWith({LabView::flops, LabView::seconds}));

    ASSERT_EQ(log.runs.size(), plain.runs.size());
    for (const LoggedRun& run : plain.runs) {
        EXPECT_TRUE(run.branches.empty());
        EXPECT_EQ(log.run(run.key)->curves.losses, run.curves.losses);
        EXPECT_EQ(log.run(run.key)->points, run.points);
    }
}

TEST_F(CoolDowns, EndWhereTheirViewIsEqual)
{
    const LabLog log = complete("log.jsonl", planWith({LabView::flops, LabView::seconds}));
    const double least = log.timings.at("none").stepFlops * 40.0;

    EXPECT_EQ(log.timings.at("dense").stepSeconds, 2.0);
    EXPECT_EQ(log.timings.at("none").stepSeconds, 1.0);
    for (const LoggedRun& run : log.runs) {
        const LoggedBranch* flops = run.branch(LabView::flops);
        const LoggedBranch* seconds = run.branch(LabView::seconds);
        if (run.key.arm == "none") {
            EXPECT_TRUE(run.branches.empty()); // it sets both budgets
            continue;
        }
        ASSERT_NE(flops, nullptr);
        EXPECT_EQ(flops->end, RunEnd::finished);
        EXPECT_LE(flops->points.back().flops, least);
        EXPECT_GT(flops->points.back().flops + log.timings.at(run.key.arm).stepFlops, least);
        EXPECT_EQ(flops->points.back().step, flops->steps);
        if (run.key.arm == "dense") {
            ASSERT_NE(seconds, nullptr);
            EXPECT_EQ(seconds->steps, 20);
            EXPECT_EQ(seconds->from, 16);
            EXPECT_EQ(seconds->curves.losses.size(), 4U);
        }
    }
}

// Its first step has the weights and examples of the run's; then its rate falls.
TEST_F(CoolDowns, BeginFromTheStateOfTheirRun)
{
    const LabLog log = complete("log.jsonl", planWith({LabView::seconds}));
    const LoggedRun& run = *log.run({.arm = "dense", .seed = 1, .rate = 1e-2});
    const LoggedBranch& branch = *run.branch(LabView::seconds);

    EXPECT_EQ(branch.curves.losses[0], run.curves.losses[16]);
    EXPECT_NE(branch.curves.losses[2], run.curves.losses[18]);
    EXPECT_EQ(branch.points.back().step, 20);
    EXPECT_NE(branch.points.back().loss, run.points[4].loss);
    EXPECT_EQ(run.points[4].step, 20);
}

TEST_F(CoolDowns, GoOnBitForBitWhereTheyWereStopped)
{
    const LabPlan plan = planWith({LabView::flops, LabView::seconds});
    const LabLog whole = complete("whole.jsonl", plan);

    for (const int steps : {3, 14, 17, 18, 19, 20, 21, 24, 40, 55}) {
        const std::string name = "stopped" + std::to_string(steps) + ".jsonl";
        stopAfter(name, plan, steps);
        expectSameRuns(whole, complete(name, plan));
    }
}

TEST_F(CoolDowns, GoOnAfterAKill)
{
    const LabPlan plan = planWith({LabView::flops, LabView::seconds}, 20);
    const LabLog whole = complete("whole.jsonl", plan);
    const std::string text = contentOf(file("whole.jsonl"));

    for (std::size_t length = text.size() / 4; length < text.size(); length += text.size() / 9) {
        written("killed.jsonl", text.substr(0, length));
        expectSameRuns(whole, complete("killed.jsonl", plan));
    }
}

TEST_F(CoolDowns, AreTheSameSideBySide)
{
    const LabPlan plan = planWith({LabView::flops, LabView::seconds}, 20);
    expectSameRuns(complete("one.jsonl", plan), complete("three.jsonl", plan, 3));
}

TEST_F(CoolDowns, AreWhatTheirViewCompares)
{
    const LabLog log = complete("log.jsonl", planWith({LabView::seconds}));
    const LabResults seconds = labResults(log, LabView::seconds);
    const LabResults flops = labResults(log, LabView::flops);

    EXPECT_TRUE(seconds.isEnd);
    EXPECT_EQ(seconds.budget, 40.0);
    const LoggedRun& run = *log.run({.arm = "dense", .seed = 1, .rate = 1e-2});
    EXPECT_EQ(seconds.arm("dense")->points.at(1), run.branch(LabView::seconds)->points.back());
    EXPECT_EQ(seconds.arm("none")->points.at(1).step, 40);
    EXPECT_NE(viewText(log, seconds).find("cools down for this view"), std::string::npos);
    EXPECT_FALSE(flops.isEnd);
    EXPECT_NE(viewText(log, flops).find("cuts"), std::string::npos);

    const std::vector<LossPoint> curve = lossCurve(log, "dense", LabView::seconds);
    ASSERT_EQ(curve.size(), 5U); // 0, 5, 10, 15 of the run, 20 of the branch
    EXPECT_EQ(curve.back().x, 40.0);
    EXPECT_EQ(lossCurve(log, "dense", LabView::steps).size(), 9U);
}

TEST_F(CoolDowns, AreNotReplacedByEndsOfRunsWithoutThem)
{
    LabLog log = complete("log.jsonl", planWith({LabView::seconds}));
    for (LoggedRun& run : log.runs) {
        run.branches.clear();
    }

    EXPECT_TRUE(labResults(log, LabView::seconds).arm("dense")->points.empty());
    EXPECT_EQ(labResults(log, LabView::seconds).arm("none")->points.size(), 2U); // sets the budget
    log.timings.erase("linear");
    EXPECT_TRUE(labResults(log, LabView::seconds).arm("none")->points.empty());
    EXPECT_EQ(labResults(log, LabView::steps).arm("dense")->points.size(), 2U);
}

// Steps take a second here, and three elsewhere.
TEST_F(CoolDowns, HaveTimingsOfOneExecutor)
{
    LabLogFile file = LabLogFile::open(this->file("log.jsonl"), planWith({}), "m").value();
    std::vector<RunExecutor> executors;
    for (const double tick : {1.0, 3.0, 1.0, 3.0}) {
        executors.push_back(
            [tick](const RunJob& job, const RunSink& sink, const std::stop_token& stop) {
                const Clock clock = [tick, now = std::make_shared<double>(0.0)] {
                    return *now += tick;
                };
                return executorHere({}, clock)(job, sink, stop);
            });
    }

    ASSERT_EQ(runLab(file, {.executors = executors, .saveEvery = 1e9}, {}).value(),
              LabEnd::complete);

    ASSERT_EQ(file.log().timings.size(), 3U);
    for (const auto& [arm, timing] : file.log().timings) {
        EXPECT_EQ(timing.stepSeconds, file.log().timings.begin()->second.stepSeconds) << arm;
    }
}

TEST_F(CoolDowns, AreTimedByAnotherExecutorWhereOneFails)
{
    const LabPlan plan = planWith({LabView::flops, LabView::seconds}, 20);
    const LabLog whole = complete("whole.jsonl", plan);
    LabLogFile file = LabLogFile::open(this->file("log.jsonl"), plan, "m").value();
    const auto fails = [](const RunJob&, const RunSink&, const std::stop_token&) -> Result<LabEnd> {
        return Error{"the connection is lost"};
    };

    const LabSettings settings{.executors = {fails, slowDense(), fails}, .saveEvery = 1e9};
    ASSERT_EQ(runLab(file, settings, {}).value(), LabEnd::complete);

    for (const LoggedRun& run : whole.runs) {
        const LoggedRun* same = file.log().run(run.key);
        ASSERT_NE(same, nullptr) << keyText(run.key);
        EXPECT_EQ(same->branches, run.branches) << keyText(run.key);
    }
}

// An arm is timed alone, so that other runs do not change its seconds.
TEST_F(CoolDowns, AreNotNeededForTimings)
{
    const LabLog log = complete("log.jsonl", planWith({}), 2);
    const LoggedRun& run = *log.run({.arm = "dense", .seed = 1, .rate = 1e-2});

    ASSERT_EQ(log.timings.size(), 3U);
    EXPECT_EQ(log.timings.at("dense").steps, 50);
    EXPECT_EQ(secondsUntil(log, run, run.points.back()), 80.0);
    LabLog old = log;
    old.timings.erase("none"); // while one is missing, all seconds come from the runs
    EXPECT_EQ(secondsUntil(old, run, run.points.back()), run.points.back().seconds);
}

TEST_F(CoolDowns, HaveAConstantRateBeforeThemForStudentsToo)
{
    LabPlan plan{.task = TeacherTask{}};
    EXPECT_EQ(settingsOf(plan, 1.0, 100).schedule.decay, Decay::cosine);
    plan.branches = {LabView::flops};
    EXPECT_EQ(settingsOf(plan, 1.0, 100).schedule.decay, Decay::linear);
}

} // namespace
} // namespace flopsmith
