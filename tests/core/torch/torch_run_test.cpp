// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/torch/torch_run.h"

#include "core/ffn/dense.h"
#include "core/torch/lab_training.h"
#include "core/train/training_state.h"
#include "tests/core/lab/temporary_folder.h"

#include <gtest/gtest.h>

#include <filesystem>

// Runs by a stand-in for train.py that prints given lines.
namespace flopsmith::torch {
namespace {

LabPlan grammarPlan()
{
    const LabPlan plan{.task = GrammarTask{.sequence = 8, .batch = 2, .test = 2},
                       .sizes = {.dModel = 8, .layers = 1, .heads = 1},
                       .seeds = 1,
                       .budget = {.kind = BudgetKind::steps, .steps = 2},
                       .tunes = false};
    return plannedLab(plan, {{.name = "dense", .ffn = DenseFfn{.dFf = 8}}}).value();
}

class TorchRuns : public test::WithFolder
{
protected:
    TorchRuns() { m_job.state = file("s.state"); }

    // A shell in place of Python: $1 is train.py's path.
    Result<LabEnd> run(const std::string& script, const std::stop_token& stop = {})
    {
        const RunExecutor execute =
            executorByTorch({.words = {"/bin/sh", written("fake", script)}});
        const RunSink sink{.write = [this](const LogLine& line) -> Status {
            if (!m_refused.empty() && line.text().find(m_refused) != std::string::npos) {
                return Error{"the disk is full"};
            }
            m_lines += line.text();
            return Done{};
        }};
        return execute(m_job, sink, stop);
    }

    LabLog log() const
    {
        return parsedLabLog(headerLine(grammarPlan(), "m").text() + m_lines, "log").value();
    }

    RunJob m_job{.plan = grammarPlan(),
                 .key = {.arm = "dense", .seed = 1, .rate = 0.003, .tuning = false}};
    std::string m_lines;
    std::string m_refused; ///< lines with it cannot be written
};

constexpr const char* kTwoSteps =
    R"(echo '{"evaluated": 0, "loss": 4.0, "right": 0.1, "seconds": 0}'
echo 'a warning of torchrun'
echo '{"step": 1, "loss": 4.0, "norm": 2.0, "seconds": 0.25, "smoothed": 4.0}'
echo '{"step": 2, "loss": 3.5, "norm": 1.5, "seconds": 0.5, "smoothed": 3.9}'
)";

TEST_F(TorchRuns, WriteTheLogOfALab)
{
    const auto end = run(std::string(kTwoSteps)
                         + R"(echo '{"evaluated": 2, "loss": 3.0, "right": 0.5, "seconds": 0.5}'
echo '{"ended": "finished", "step": 2}')");

    ASSERT_TRUE(end.ok()) << end.error().message;
    EXPECT_EQ(*end, LabEnd::complete);
    const LoggedRun run = log().runs.at(0);
    EXPECT_EQ(run.end, RunEnd::finished);
    EXPECT_EQ(run.curves.losses, (std::vector<double>{4.0, 3.5}));
    EXPECT_EQ(run.curves.gradientNorms, (std::vector<double>{2.0, 1.5}));
    ASSERT_EQ(run.points.size(), 2U);
    EXPECT_EQ(run.points[1].loss, 3.0);
    EXPECT_EQ(run.points[1].score, 3.0); // nats
    EXPECT_EQ(run.points[1].seconds, 0.5);

    // The same FLOPs as a run here.
    LabLogFile here = LabLogFile::open(file("here"), grammarPlan(), "m").value();
    ASSERT_TRUE(runLab(here, {}, {}).ok());
    const LoggedRun* same = here.log().run(run.key);
    ASSERT_NE(same, nullptr);
    EXPECT_EQ(run.points[1].flops, same->points.back().flops);
    EXPECT_EQ(run.parameters, same->parameters);
}

TEST_F(TorchRuns, TimeStepsWithoutTraining)
{
    m_job.timedSteps = 3;
    std::string steps;
    for (int i = 1; i <= 8; ++i) { // the first ones take longer
        const double seconds = i <= 5 ? i : 5.0 + 0.25 * (i - 5);
        steps += "echo '{\"step\": " + std::to_string(i)
            + ", \"loss\": 4.0, \"seconds\": " + std::to_string(seconds) + "}'\n";
    }

    const auto end = run(steps + R"(echo '{"ended": "finished", "step": 8}')");

    ASSERT_TRUE(end.ok()) << end.error().message;
    EXPECT_TRUE(log().runs.empty());
    EXPECT_EQ(log().timings.at("dense").steps, 3);
    EXPECT_DOUBLE_EQ(log().timings.at("dense").stepSeconds, 0.25);
    EXPECT_GT(log().timings.at("dense").stepFlops, 0.0);
}

// The next time the timing begins anew.
TEST_F(TorchRuns, LeaveOutATimingThatWasStopped)
{
    m_job.timedSteps = 50;
    std::string steps;
    for (int i = 1; i <= 8; ++i) {
        steps += "echo '{\"step\": " + std::to_string(i)
            + ", \"loss\": 4.0, \"seconds\": " + std::to_string(i) + "}'\n";
    }

    const auto end = run(steps + R"(echo '{"ended": "stopped", "step": 8}')");

    ASSERT_TRUE(end.ok()) << end.error().message;
    EXPECT_EQ(*end, LabEnd::stopped);
    EXPECT_TRUE(log().timings.empty());
}

TEST_F(TorchRuns, LoseTheirStateOnlyForAWrittenEnd)
{
    const std::string finished =
        std::string(kTwoSteps) + R"(echo '{"ended": "finished", "step": 2}')";
    const std::string state = written("s.state", "of the last seconds");
    m_refused = "\"end\"";

    EXPECT_FALSE(run(finished).ok());
    EXPECT_TRUE(std::filesystem::exists(state));

    m_refused.clear();
    EXPECT_TRUE(run(finished).ok());
    EXPECT_FALSE(std::filesystem::exists(state));
}

TEST_F(TorchRuns, SayWhatDiverges)
{
    const auto end =
        run(R"(echo '{"step": 1, "loss": 4.0, "norm": 2.0, "seconds": 0.25, "smoothed": 4.0}'
echo '{"step": 2, "loss": null, "norm": null, "seconds": 0.5, "smoothed": null}'
echo '{"ended": "diverged", "step": 1}')");

    ASSERT_TRUE(end.ok()) << end.error().message;
    EXPECT_EQ(log().runs.at(0).end, RunEnd::diverged);
}

TEST_F(TorchRuns, RefuseViewsAtTheFirstRun)
{
    m_job.plan.branches = {LabView::flops};
    m_job.timedSteps = 3;

    const auto end = run("");

    ASSERT_FALSE(end.ok());
    EXPECT_NE(end.error().message.find("leave out --engine torch, or the views"), std::string::npos)
        << end.error().message;
}

TEST_F(TorchRuns, SayWhyTheyFailed)
{
    EXPECT_NE(run("echo broken >&2; exit 3").error().message.find("exit code 3"),
              std::string::npos);
    EXPECT_NE(run(R"(echo '{"hello": 1}')").error().message.find("hello"), std::string::npos);
    std::string steps;
    for (int i = 1; i < 5; ++i) {
        steps += kTwoSteps;
    }
    EXPECT_NE(run(steps).error().message.find("more steps"), std::string::npos);
    EXPECT_FALSE(hasTorch({.words = {written("none", ""), "x"}}).ok());
    const Status missing = hasTorch({.words = {"/bin/false"}});
    EXPECT_NE(missing.error().message.find("no PyTorch"), std::string::npos);
}

TEST_F(TorchRuns, StopAtAFileAndKeepTheState)
{
    // The state that the stand-in "saved" is the one that a training of the same run holds.
    LabTraining lab = labTraining(grammarPlan(), m_job.key).value();
    lab.training.state.step = 1;
    for (const std::vector<double>& tensor : lab.training.state.weights) {
        lab.training.state.moments.emplace_back(2 * tensor.size(), 0.5);
    }
    lab.training.progress = {.firstLoss = 4.0, .smoothedLoss = 4.0, .seconds = 0.25};
    fillBatches(lab);
    std::filesystem::create_directory(file("saved"));
    ASSERT_TRUE(writeTraining(file("saved"), lab.training).ok());
    std::stop_source stop;
    stop.request_stop();

    const auto end =
        run("folder=$(dirname \"$1\")\ncp '" + file("saved") + R"(/state.safetensors' "$folder"
echo '{"step": 1, "loss": 4.0, "norm": 2.0, "seconds": 0.25, "smoothed": 4.0}'
while [ ! -e "$folder/stop" ]; do sleep 0.01; done
echo '{"ended": "stopped", "step": 1}')",
            stop.get_token());

    ASSERT_TRUE(end.ok()) << end.error().message;
    EXPECT_EQ(*end, LabEnd::stopped);
    LabTraining again = labTraining(grammarPlan(), m_job.key).value();
    ASSERT_TRUE(continueFrom(again, file("s.state"), 1));
    EXPECT_EQ(again.training.state.step, 1);
    EXPECT_EQ(again.cost.first, 4.0);
    EXPECT_EQ(again.cost.seconds, 0.25);
    EXPECT_GT(again.cost.flops, 0);
    EXPECT_FALSE(continueFrom(again, file("s.state"), 0)); // the log does not reach it
    const Result<LabTraining> saved = savedLabTraining(file("s.state"));
    ASSERT_TRUE(saved.ok()) << saved.error().message;
    EXPECT_EQ(saved->key, m_job.key);
    EXPECT_EQ(saved->training.state, again.training.state);
}

TEST_F(TorchRuns, DoNotGoOnFromABranch)
{
    const LabTraining lab = labTraining(grammarPlan(), m_job.key).value();
    const std::vector<ModelTensor>& tensors = lab.training.plan.tensors;
    TrainingState<float> state{.step = 1, .weights = {}, .moments = {}};
    for (const ModelTensor& tensor : tensors) {
        const auto size = static_cast<std::size_t>(tensor.shape.size());
        state.weights.emplace_back(size, 0.5F);
        state.moments.emplace_back(2 * size, 0.5F);
    }
    const auto saved = [&](const std::string& name, std::optional<LabView> branch) {
        const SafetensorsMetadata metadata = runMetadata(grammarPlan(), m_job.key, {}, branch);
        EXPECT_TRUE(saveState<float>(file(name), tensors, state, metadata).ok());
        return savedLabTraining(file(name));
    };

    EXPECT_TRUE(saved("s.state", std::nullopt).ok());
    const Result<LabTraining> refused = saved("s.state.branch", LabView::flops);
    ASSERT_FALSE(refused.ok());
    EXPECT_NE(refused.error().message.find("without .branch"), std::string::npos);
}

TEST(LabTrainings, RefuseWhatIsNoModel)
{
    LabPlan plan{.task = TeacherTask{}, .tunes = false};
    plan = plannedLab(plan, {{.name = "dense", .ffn = DenseFfn{.dFf = 8}}}).value();
    const auto lab = labTraining(plan, {.arm = "dense", .seed = 1, .rate = 0.003});
    EXPECT_NE(lab.error().message.find("FFN alone"), std::string::npos);
    EXPECT_FALSE(savedLabTraining("/nowhere/x").ok());
}

} // namespace
} // namespace flopsmith::torch
