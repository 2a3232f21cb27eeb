// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ffn/dense.h"
#include "core/lab/run/worker_run.h"
#include "tests/core/lab/temporary_folder.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

RunJob factsJob()
{
    const LabPlan plan{.task = FactsTask{.facts = 16, .classes = 4, .batch = 8},
                       .sizes = {.dModel = 8, .layers = 1, .heads = 1},
                       .seeds = 2,
                       .budget = {.kind = BudgetKind::steps, .steps = 5}};
    return {.plan = plannedLab(plan, {{.name = "dense", .ffn = DenseFfn{.dFf = 8}}}).value(),
            .key = {.arm = "none", .seed = 2, .rate = 0.003, .tuning = false},
            .number = 3,
            .logged = 2,
            .state = "a b.state",
            .model = "m",
            .saveEvery = 1.5};
}

TEST(RunJobs, ReadWhatTheyWrite)
{
    const RunJob job = factsJob();
    const std::string line = jobLine(job);

    EXPECT_EQ(line.find('\n'), std::string::npos);
    const Result<RunJob> read = jobOfLine(line);
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(*read, job);
}

TEST(RunJobs, ReadBranchesAndTimings)
{
    RunJob job = factsJob();
    job.branches = {{.view = LabView::seconds, .steps = 4, .done = true, .logged = 2},
                    {.view = LabView::flops, .steps = 5}};
    job.timedSteps = 50;
    const std::string line = jobLine(job);

    const Result<RunJob> read = jobOfLine(line);
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(*read, job);

    std::string other = line;
    other.replace(other.find("\"seconds\""), 9, "\"metres\"");
    EXPECT_NE(jobOfLine(other).error().message.find("view"), std::string::npos);
    EXPECT_NE(line.find("\"flopsmith_lab_run\":2"), std::string::npos);
}

TEST(RunJobs, RefuseWhatIsNone)
{
    for (const char* line : {"", "{", "[]", "{}", R"({"flopsmith_lab_run":1})"}) {
        EXPECT_FALSE(jobOfLine(line).ok()) << line;
    }
    std::string line = jobLine(factsJob());
    const auto changed = [&](const std::string& from, const std::string& to) {
        std::string other = line;
        const std::size_t at = other.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        return jobOfLine(other.replace(at, from.size(), to));
    };
    EXPECT_NE(changed("\"flopsmith_lab_run\":1", "\"flopsmith_lab_run\":3")
                  .error()
                  .message.find("version 2"),
              std::string::npos);
    EXPECT_NE(changed("\"arm\":\"none\"", "\"arm\":\"gone\"").error().message.find("gone"),
              std::string::npos);
    EXPECT_NE(changed("\"number\":3", "\"number\":-3").error().message.find("number"),
              std::string::npos);
    EXPECT_EQ(changed("\"tuning\":false", "\"tuning\":7").error().message,
              "this is no run of a lab: tuning: expected true or false, found 7");
}

class WorkerRuns : public test::WithFolder
{
protected:
    // A shell script in place of the training program.
    RunExecutor answering(const std::string& script) const
    {
        return executorInProcess({"/bin/sh", "-c", script});
    }

    Result<LabEnd> run(const RunExecutor& execute, std::vector<std::string>& lines) const
    {
        const RunSink sink{.write = [&](const LogLine& line) -> Status {
            lines.push_back(line.text());
            return Done{};
        }};
        return execute(factsJob(), sink, {});
    }
};

TEST_F(WorkerRuns, GiveTheLinesOfTheirProgram)
{
    std::vector<std::string> lines;
    const auto end = run(
        answering(R"(read job; echo '{"run":3,"steps":1}'; echo '{"progress":1,"of":5,"loss":2}';)"
                  R"(echo '{"ended":"complete"}')"),
        lines);

    ASSERT_TRUE(end.ok()) << end.error().message;
    EXPECT_EQ(*end, LabEnd::complete);
    EXPECT_EQ(lines, std::vector<std::string>{"{\"run\":3,\"steps\":1}\n"});
}

TEST_F(WorkerRuns, SayWhyTheirProgramFailed)
{
    std::vector<std::string> lines;
    const auto sentence = [&](const std::string& script) {
        const auto end = run(answering(script), lines);
        return end.ok() ? std::string("none") : end.error().message;
    };
    EXPECT_NE(sentence("read job; exit 3").find("exit code 3"), std::string::npos);
    EXPECT_NE(sentence(R"(read job; echo '{"error":"no text"}')").find("no text"),
              std::string::npos);
    EXPECT_NE(sentence("read job; echo hello").find("hello"), std::string::npos);
    EXPECT_FALSE(run(executorInProcess({"/nonexistent/train"}), lines).ok());
    EXPECT_TRUE(lines.empty());
}

// An echo, another run, another arm: nothing of it reaches the log.
TEST_F(WorkerRuns, RefuseWhatIsNoLineOfTheirRun)
{
    for (const char* line : {R"({"x":1})",
                             R"({"run":4,"steps":1})",
                             R"({"run":3})",
                             R"({"run":3,"start":5,"arm":"dense","seed":2,"rate":0.003,)"
                             R"("tuning":false,"parameters":1})",
                             R"({"timed":"dense","steps":1,"step_seconds":1,"step_flops":1})"}) {
        std::vector<std::string> lines;
        const auto end = run(answering("read job; echo '" + std::string(line) + "'"), lines);
        ASSERT_FALSE(end.ok()) << line;
        EXPECT_NE(end.error().message.find("no line of its run"), std::string::npos);
        EXPECT_TRUE(lines.empty()) << line;
    }
    std::vector<std::string> lines;
    EXPECT_FALSE(run(executorInProcess({"cat"}), lines).ok());
    EXPECT_TRUE(lines.empty());
}

TEST_F(WorkerRuns, TellThatTheirProgramIsSilent)
{
    std::vector<std::string> reports;
    const RunSink sink{.write = [](const LogLine&) -> Status { return Done{}; },
                       .note = [&](const std::string& text) { reports.push_back(text); }};
    const auto end =
        executorInProcess({"/bin/sh", "-c", R"(read job; sleep 3; echo '{"ended":"complete"}')"},
                          nullptr,
                          SilenceWatch::Duration(0.5))(factsJob(), sink, {});

    ASSERT_TRUE(end.ok()) << end.error().message;
    ASSERT_FALSE(reports.empty());
    EXPECT_NE(reports.front().find("said nothing of its run for "), std::string::npos);
}

} // namespace
} // namespace flopsmith
