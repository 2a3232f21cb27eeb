// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/dense.h"
#include "core/ffn/spectral.h"
#include "core/lab/run/worker_run.h"
#include "tests/core/lab/temporary_folder.h"
#include "tests/support/programs.h"

#include <gtest/gtest.h>

#include <thread>

// Runs of a lab by the training program.
namespace flopsmith {
namespace {

LabPlan grammarPlan(std::int64_t steps, LabPrecision precision = LabPrecision::float32)
{
    const LabPlan plan{.task = GrammarTask{},
                       .sizes = {.dModel = 16, .layers = 1, .heads = 2},
                       .seeds = 1,
                       .budget = {.kind = BudgetKind::steps, .steps = steps},
                       .tunes = false,
                       .evaluateEvery = 10,
                       .precision = precision};
    return plannedLab(plan, {{.name = "dense", .ffn = DenseFfn{.dFf = 32}}}).value();
}

class TrainProgram : public test::WithFolder
{
protected:
    LabLog complete(const std::string& name,
                    const LabPlan& plan,
                    const std::vector<RunExecutor>& executors) const
    {
        LabLogFile log = LabLogFile::open(file(name), plan, "m").value();
        const auto end = runLab(log, {.executors = executors}, {});
        EXPECT_TRUE(end.ok()) << end.error().message;
        return readLabLog(file(name)).value();
    }

    RunExecutor program() const { return executorInProcess({builtProgram("flopsmith-train")}); }
};

TEST_F(TrainProgram, LearnsWhatTheReferenceLearns)
{
    const LabPlan plan = grammarPlan(20);
    const LabLog fast = complete("fast.jsonl", plan, {program(), program()});
    const LabLog reference = complete("reference.jsonl", plan, {executorHere({})});

    ASSERT_EQ(fast.runs.size(), reference.runs.size());
    for (const LoggedRun& run : reference.runs) {
        const LoggedRun* same = fast.run(run.key);
        ASSERT_NE(same, nullptr);
        EXPECT_EQ(same->end, RunEnd::finished);
        ASSERT_EQ(same->curves.losses.size(), run.curves.losses.size());
        for (std::size_t i = 0; i < run.curves.losses.size(); ++i) {
            EXPECT_NEAR(same->curves.losses[i], run.curves.losses[i], 1e-4)
                << run.key.arm << " step " << i + 1;
        }
        EXPECT_EQ(same->points.back().flops, run.points.back().flops);
    }
}

TEST_F(TrainProgram, TrainsInDoubleByTheReference)
{
    const LabPlan plan = grammarPlan(3, LabPrecision::float64);
    const LabLog far = complete("far.jsonl", plan, {program()});
    const LabLog here = complete("here.jsonl", plan, {executorHere({})});

    for (const LoggedRun& run : here.runs) {
        EXPECT_EQ(far.run(run.key)->curves.losses, run.curves.losses);
    }
}

// Stopped runs are saved by the program and continue bit for bit.
TEST_F(TrainProgram, GoesOnWhereItWasStopped)
{
    const LabPlan plan = grammarPlan(60);
    const LabLog whole = complete("whole.jsonl", plan, {program()});
    {
        LabLogFile log = LabLogFile::open(file("stopped.jsonl"), plan, "m").value();
        std::stop_source source;
        LabSettings settings{.executors = {program()}};
        settings.progress = [&](const LabProgress&) { source.request_stop(); };
        const auto end = runLab(log, settings, source.get_token());
        ASSERT_TRUE(end.ok()) << end.error().message;
        EXPECT_EQ(*end, LabEnd::stopped);
    }
    const LabLog resumed = complete("stopped.jsonl", plan, {program()});
    for (const LoggedRun& run : whole.runs) {
        EXPECT_EQ(resumed.run(run.key)->curves.losses, run.curves.losses);
    }
}

// FFTW's fastest plan of transforms may be another one in each process, and would round otherwise.
TEST_F(TrainProgram, GivesTheSameNumbersInEveryProcess)
{
    LabPlan dense = grammarPlan(10);
    dense.arms.clear();
    dense.sizes.dModel = 64;
    const Result<LabPlan> planned =
        plannedLab(dense, {{.name = "spectral", .ffn = SpectralFfn{.kFreq = 16}}});
    ASSERT_TRUE(planned.ok()) << planned.error().message;
    const LabPlan& plan = *planned;
    const LabLog first = complete("first.jsonl", plan, {program()});
    for (const char* name : {"second.jsonl", "third.jsonl"}) {
        const LabLog again = complete(name, plan, {program()});
        for (const LoggedRun& run : first.runs) {
            EXPECT_EQ(again.run(run.key)->curves.losses, run.curves.losses) << run.key.arm;
        }
    }
}

TEST_F(TrainProgram, SaysWhatItCannotDo)
{
    LabPlan plan = grammarPlan(5);
    plan.task = TextTask{.file = file("no.txt"), .sha256 = std::string(64, '0')};
    LabLogFile log = LabLogFile::open(file("log.jsonl"), plan, "m").value();
    const auto end = runLab(log, {.executors = {program()}}, {});

    ASSERT_FALSE(end.ok());
    EXPECT_NE(end.error().message.find("no.txt"), std::string::npos) << end.error().message;
}

} // namespace
} // namespace flopsmith
