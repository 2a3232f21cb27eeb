// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/dense.h"
#include "core/lab/log/lab_merge.h"
#include "core/lab/run/lab_run.h"
#include "core/lab/run/training_device.h"
#include "tests/core/lab/temporary_folder.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <stop_token>

// Labs on several machines: shares of one, executors that fail, devices that train.
namespace flopsmith {
namespace {

LabPlan smallPlan(bool tunes)
{
    const LabPlan plan{.task = FactsTask{.facts = 8, .classes = 2, .batch = 4},
                       .sizes = {.dModel = 8, .layers = 1, .heads = 1},
                       .seeds = 3,
                       .budget = {.kind = BudgetKind::steps, .steps = 3},
                       .tunes = tunes};
    return plannedLab(plan, {{.name = "dense", .ffn = DenseFfn{.dFf = 8}}}).value();
}

class SharedLabs : public test::WithFolder
{
protected:
    LabLog trained(const std::string& name, const LabPlan& plan, const WorkShare& share) const
    {
        LabLogFile log = LabLogFile::open(file(name), plan, name).value();
        LabSettings settings;
        settings.share = share;
        const auto end = runLab(log, settings, {});
        EXPECT_TRUE(end.ok() && *end == LabEnd::complete);
        const LabProgressCount count = countRuns(log.log(), share);
        EXPECT_EQ(count.done, count.planned) << name;
        return readLabLog(file(name)).value();
    }

    // Stopped after two steps of its second run.
    void stopped(const std::string& name, const LabPlan& plan, const WorkShare& share) const
    {
        LabLogFile log = LabLogFile::open(file(name), plan, name).value();
        std::stop_source source;
        LabSettings settings;
        settings.share = share;
        settings.progress = [&](const LabProgress& at) {
            if (at.runs.done == 1 && at.run.step == 2) {
                source.request_stop();
            }
        };
        const auto end = runLab(log, settings, source.get_token());
        EXPECT_TRUE(end.ok() && *end == LabEnd::stopped);
    }
};

TEST_F(SharedLabs, TogetherTheirSharesAreTheWhole)
{
    for (const bool tunes : {false, true}) {
        const LabPlan plan = smallPlan(tunes);
        const std::string suffix = tunes ? "-tuned" : "";
        const LabLog whole = trained("whole" + suffix, plan, {});
        std::vector<NamedLog> parts;
        for (int number = 1; number <= 4; ++number) {
            const std::string name = std::to_string(number) + suffix;
            parts.push_back({name, trained(name, plan, {number, 4})});
        }

        const Result<LabLog> joined = parsedLabLog(logText(mergedLogs(parts).value()), "joined");

        ASSERT_TRUE(joined.ok()) << joined.error().message;
        ASSERT_EQ(joined->runs.size(), whole.runs.size());
        EXPECT_EQ(joined->damagedLines, 0U);
        for (const LoggedRun& run : whole.runs) {
            const LoggedRun* same = joined->run(run.key);
            ASSERT_NE(same, nullptr) << keyText(run.key);
            EXPECT_EQ(same->curves.losses, run.curves.losses);
            EXPECT_EQ(same->end, run.end);
            EXPECT_EQ(same->points.size(), run.points.size());
        }
        EXPECT_FALSE(nextRun(*joined).has_value());
        EXPECT_EQ(joined->machine.find("whole"), std::string::npos);
    }
}

TEST_F(SharedLabs, RunsGoOnFromTheirStatesInALogThatOthersWereMergedInto)
{
    const LabPlan plan = smallPlan(false);
    const LabLog whole = trained("whole", plan, {});
    const NamedLog other{"other", trained("other", plan, {1, 2})};
    stopped("log", plan, {2, 2});
    const LabLog begun = readLabLog(file("log")).value();
    const std::size_t open = begun.runs.size() - 1;
    ASSERT_EQ(begun.runs[open].end, RunEnd::open);
    ASSERT_TRUE(std::filesystem::exists(statePath(file("log"), open)));

    const LabLog merged = mergedLogs({other, {"log", begun, true}}).value();
    written("log", logText(merged));
    const LabLog joined = trained("log", plan, {});

    EXPECT_NE(contentOf(file("log")).find("\"resumed\":2"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(statePath(file("log"), open)));
    for (const LoggedRun& run : whole.runs) {
        EXPECT_EQ(joined.run(run.key)->curves.losses, run.curves.losses) << keyText(run.key);
    }
}

TEST_F(SharedLabs, OfTwoLogsOfARunTheFurtherOneCounts)
{
    const LabLog whole = trained("whole", smallPlan(false), {});
    LabLog begun = whole;
    begun.runs.front().curves.losses.resize(1);
    begun.runs.front().end = RunEnd::open;

    const NamedLog first{"whole", whole};
    const NamedLog second{"begun", begun};
    for (const auto& logs : {std::vector{first, second}, std::vector{second, first}}) {
        const LabLog joined = mergedLogs(logs).value();
        EXPECT_EQ(joined.runs.front().curves.losses, whole.runs.front().curves.losses);
    }
    LabLog other = whole;
    other.plan.seeds = 9;
    EXPECT_FALSE(mergedLogs({{"whole", whole}, {"other", other}}).ok());
}

TEST_F(SharedLabs, RunsOfAnExecutorThatFailsAreLeftToOthers)
{
    LabLogFile log = LabLogFile::open(file("l"), smallPlan(false), "m").value();
    std::atomic<int> failures = 0;
    std::atomic<int> lost = 0;
    const RunExecutor fails = [&](const RunJob&, const RunSink&, const std::stop_token&) {
        ++failures;
        return Result<LabEnd>(Error{"the cable is out"});
    };
    LabSettings settings{.executors = {fails, executorHere({}), fails}};
    settings.failed = [&](const Error& error) {
        EXPECT_EQ(error.message, "the cable is out");
        ++lost;
    };

    const auto end = runLab(log, settings, {});

    ASSERT_TRUE(end.ok()) << end.error().message;
    EXPECT_EQ(*end, LabEnd::complete);
    EXPECT_EQ(failures, lost);
    EXPECT_LE(failures, 2);
    settings.executors = {fails, fails};
    LabLogFile none = LabLogFile::open(file("n"), smallPlan(false), "m").value();
    EXPECT_EQ(runLab(none, settings, {}).error().message, "the cable is out");
}

TEST(TrainingDevices, TrainWhereTheyMeasure)
{
    const auto command = [](std::vector<std::string> words) {
        return trainingCommand({.name = "box", .command = std::move(words)}).value();
    };
    EXPECT_EQ(command({"ssh", "box", "flopsmith-bench"}),
              (std::vector<std::string>{"ssh", "box", "flopsmith-train"}));
    EXPECT_EQ(command({"srun", "--gpus", "1", "/opt/f/flopsmith-bench-cuda", "--x"}),
              (std::vector<std::string>{"srun", "--gpus", "1", "/opt/f/flopsmith-train"}));
    EXPECT_FALSE(trainingCommand({.name = "box", .command = {"ssh", "box", "measure"}}).ok());
    EXPECT_FALSE(
        trainingCommand({.name = std::string(kThisGpu), .command = {"flopsmith-bench-cuda"}}).ok());
}

} // namespace
} // namespace flopsmith
