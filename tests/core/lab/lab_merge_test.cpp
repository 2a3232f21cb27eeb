// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/log/lab_merge.h"

#include "core/ffn/dense.h"
#include "core/lab/progress/next_run.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace flopsmith {
namespace {

LabPlan partPlan(int seeds = 2)
{
    LabPlan plan{.task = TextTask{.file = "a.txt", .sha256 = std::string(64, 'a')},
                 .sizes = {.dModel = 4, .layers = 1, .heads = 1},
                 .seeds = seeds,
                 .tunes = false};
    return plannedLab(plan, {{.name = "dense", .ffn = DenseFfn{.dFf = 4}}}).value();
}

LoggedRun partRun(const std::string& arm, int seed, int steps, RunEnd end = RunEnd::finished)
{
    LoggedRun run{.key = {.arm = arm, .seed = seed, .rate = 3e-3}, .steps = 4, .end = end};
    for (int step = 0; step < steps; ++step) {
        run.curves.losses.push_back(1.0 / (step + 3.0));
        run.curves.gradientNorms.push_back(0.1 * seed);
    }
    run.points.push_back(
        {.step = steps, .flops = 1e6 * steps, .seconds = 0.1, .loss = 0.3, .score = 0.3});
    return run;
}

NamedLog partLog(const std::string& name, std::vector<LoggedRun> runs)
{
    return {.name = name,
            .log = {.plan = partPlan(), .machine = "m", .program = "1.0", .runs = std::move(runs)}};
}

std::string mergedText(const std::vector<NamedLog>& logs)
{
    const auto merged = mergedLogs(logs);
    EXPECT_TRUE(merged.ok()) << merged.error().message;
    return logText(*merged);
}

TEST(LabMerge, KeepsEveryRunAndReadsBack)
{
    const NamedLog a = partLog("a", {partRun("dense", 1, 4), partRun("none", 2, 4)});
    const NamedLog b = partLog("b", {partRun("linear", 1, 3, RunEnd::diverged)});

    const LabLog merged = parsedLabLog(mergedText({a, b}), "merged").value();

    ASSERT_EQ(merged.runs.size(), 3U);
    EXPECT_EQ(merged.damagedLines, 0U);
    EXPECT_EQ(merged.machine, "m");
    EXPECT_EQ(merged.program, "1.0");
    for (const LoggedRun* each : {&a.log.runs[0], &a.log.runs[1], &b.log.runs[0]}) {
        ASSERT_NE(merged.run(each->key), nullptr);
        EXPECT_EQ(*merged.run(each->key), *each);
    }
}

TEST(LabMerge, TakesRunsOnceInWhateverOrder)
{
    const std::vector<NamedLog> logs{
        partLog("a", {partRun("dense", 1, 4), partRun("none", 1, 2, RunEnd::open)}),
        partLog("b", {partRun("none", 1, 4), partRun("dense", 1, 4)}),
        partLog("c", {partRun("dense", 2, 1, RunEnd::open)}),
        partLog("d", {partRun("dense", 2, 3, RunEnd::open)})};
    const std::string text = mergedText(logs);
    const LabLog merged = parsedLabLog(text, "merged").value();
    ASSERT_EQ(merged.runs.size(), 3U);
    EXPECT_EQ(merged.run(partRun("none", 1, 4).key)->end, RunEnd::finished);
    EXPECT_EQ(merged.run(partRun("dense", 2, 3).key)->curves.losses.size(), 3U);

    std::vector<std::size_t> order{0, 1, 2, 3};
    while (std::ranges::next_permutation(order).found) {
        std::vector<NamedLog> shuffled;
        for (const std::size_t i : order) {
            shuffled.push_back(logs[i]);
        }
        EXPECT_EQ(mergedText(shuffled), text);
    }
    EXPECT_EQ(mergedText({{.name = "merged", .log = merged}, logs[2]}), text);
}

TEST(LabMerge, NamesEachMachineOnceHoweverOftenLogsAreMerged)
{
    NamedLog a = partLog("a", {});
    NamedLog b = partLog("b", {});
    a.log.machine = "one, 2 runs side by side";
    b.log.machine = "another";

    LabLog merged = mergedLogs({a, b}).value();
    EXPECT_EQ(merged.machine, "another; one, 2 runs side by side");
    merged = mergedLogs({a, b, {.name = "merged", .log = merged}}).value();
    EXPECT_EQ(merged.machine, "another; one, 2 runs side by side");
}

TEST(LabMerge, TakesAllTimingsOfOneLog)
{
    NamedLog fast = partLog("fast", {});
    fast.log.timings = {{"dense", {.stepSeconds = 1.0}}};
    NamedLog slow = partLog("slow", {});
    slow.log.timings = {{"dense", {.stepSeconds = 3.0}}, {"none", {.stepSeconds = 2.0}}};
    NamedLog slower = partLog("slower", {});
    slower.log.timings = {{"dense", {.stepSeconds = 2.0}}, {"none", {.stepSeconds = 4.0}}};

    for (const auto& logs : {std::vector{fast, slow, slower}, std::vector{slower, slow, fast}}) {
        EXPECT_EQ(mergedLogs(logs).value().timings, slow.log.timings);
    }
}

TEST(LabMerge, KeepsTheNumbersOfALogWithSavedStates)
{
    const LoggedRun damaged; // its first line was lost
    NamedLog kept = partLog(
        "kept",
        {partRun("none", 2, 1, RunEnd::open), damaged, partRun("dense", 1, 2, RunEnd::open)});
    kept.keepsNumbers = true;
    const NamedLog other = partLog("other", {partRun("dense", 1, 4), partRun("linear", 1, 4)});

    for (const auto& logs : {std::vector{kept, other}, std::vector{other, kept}}) {
        const LabLog merged = parsedLabLog(mergedText(logs), "merged").value();

        EXPECT_EQ(merged.damagedLines, 0U);
        ASSERT_EQ(merged.runs.size(), 4U);
        EXPECT_EQ(merged.runs[0], kept.log.runs[0]);
        EXPECT_EQ(merged.runs[1], damaged);
        EXPECT_EQ(merged.runs[2], other.log.runs[0]);
        EXPECT_EQ(merged.runs[3], other.log.runs[1]);
    }
}

TEST(LabMerge, GoesOnWithWhatIsMissing)
{
    const LabLog merged =
        mergedLogs({partLog("a", {partRun("dense", 1, 4)}), partLog("b", {partRun("none", 1, 4)})})
            .value();

    EXPECT_EQ(nextRun(merged)->arm, "linear");
    EXPECT_EQ(countRuns(merged).done, 2U);
}

TEST(LabMerge, RefusesWhatDoesNotBelongTogether)
{
    const NamedLog one = partLog("a.jsonl", {});
    NamedLog other = partLog("b.jsonl", {});
    const auto refusal = [&] {
        const auto merged = mergedLogs({one, other});
        return merged ? std::string() : merged.error().message;
    };
    other.log.plan = partPlan(3);
    EXPECT_NE(refusal().find("different labs"), std::string::npos) << refusal();
    EXPECT_NE(refusal().find("b.jsonl"), std::string::npos);

    other.log.plan = partPlan();
    std::get<TextTask>(other.log.plan.task).sha256 = std::string(64, 'b');
    EXPECT_NE(refusal().find("different data"), std::string::npos) << refusal();

    other.log.plan = partPlan();
    other.log.program = "0.9";
    EXPECT_NE(refusal().find("version 0.9"), std::string::npos) << refusal();
    EXPECT_FALSE(mergedLogs({}).ok());
}

} // namespace
} // namespace flopsmith
