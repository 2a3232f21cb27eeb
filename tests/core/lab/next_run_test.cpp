// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/progress/next_run.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace flopsmith {
namespace {

using LossOfRun = std::function<double(const RunKey&)>;

LabLog emptyLog(bool tunes, int seeds = 2)
{
    LabPlan plan{.task = FactsTask{},
                 .sizes = {.dModel = 8, .layers = 1, .heads = 1},
                 .seeds = seeds,
                 .tunes = tunes};
    return {.plan = plannedLab(plan, {}).value(), .machine = {}, .runs = {}};
}

// Adds a run with this last loss; one that is not finite has diverged.
void addRun(LabLog& log, const RunKey& key, double loss)
{
    LoggedRun run{.key = key};
    run.end = std::isfinite(loss) ? RunEnd::finished : RunEnd::diverged;
    run.points.push_back({.step = 1, .loss = loss});
    log.runs.push_back(run);
}

// Executes what is missing, in thought.
void runAll(LabLog& log, const LossOfRun& lossOf)
{
    for (int i = 0; i < 1'000; ++i) {
        const auto key = nextRun(log);
        if (!key) {
            return;
        }
        addRun(log, *key, lossOf(*key));
    }
    FAIL() << "it does not end";
}

TEST(NextRun, TakesSeedAfterSeedWithoutTuning)
{
    LabLog log = emptyLog(false);
    runAll(log, [](const RunKey&) { return 1.0; });

    ASSERT_EQ(log.runs.size(), 4U); // none and linear, two seeds
    EXPECT_EQ(log.runs[0].key.seed, 1);
    EXPECT_EQ(log.runs[1].key.seed, 1);
    EXPECT_EQ(log.runs[2].key.seed, 2);
    EXPECT_NE(log.runs[0].key.arm, log.runs[1].key.arm);
    for (const LoggedRun& run : log.runs) {
        EXPECT_FALSE(run.key.tuning);
        EXPECT_EQ(run.key.rate, log.plan.baseRate);
    }
    EXPECT_EQ(countRuns(log).done, 4U);
    EXPECT_EQ(countRuns(log).planned, 4U);
}

TEST(NextRun, TunesEachArmOnASeedOfItsOwn)
{
    LabLog log = emptyLog(true);
    runAll(log, [](const RunKey& key) {
        const double best = key.arm == "none" ? 3e-3 : 9.48683298e-3;
        return 1.0 + std::abs(std::log(key.rate / best));
    });

    EXPECT_NEAR(*tunedRate(log, "none"), 3e-3, 1e-9);
    EXPECT_NEAR(*tunedRate(log, "linear"), 9.48683298e-3, 1e-9);
    EXPECT_EQ(log.runs.size(), 2U * (5 + 2));
    for (const LoggedRun& run : log.runs) {
        EXPECT_EQ(run.key.tuning, run.key.seed == 0);
    }
}

// Two rates are within 1 % over a third of the budget; over all of it the second one is better.
TEST(NextRun, ChoosesBetweenCloseRatesByTheWholeBudget)
{
    const double second = 9.486832980505138e-3;
    const auto isSecond = [=](const RunKey& key) { return std::abs(key.rate - second) < 1e-9; };
    LabLog log = emptyLog(true, 1);
    runAll(log, [&](const RunKey& key) {
        if (key.arm == "none") {
            return std::abs(std::log(key.rate / 3e-3)) + 1.0;
        }
        if (key.tuning) {
            return isSecond(key) ? 1.009 : key.rate == 3e-3 ? 1.0 : 2.0;
        }
        return isSecond(key) ? 0.5 : 0.6;
    });

    EXPECT_TRUE(isSecond({.rate = *tunedRate(log, "linear")}));
    EXPECT_EQ(log.runs.size(), 2U * (5 + 1) + 2);
    EXPECT_EQ(countRuns(log).done, log.runs.size());
    EXPECT_EQ(countRuns(log).planned, log.runs.size());
    std::erase_if(log.runs, [](const LoggedRun& run) { return run.key.seed > 0; });
    EXPECT_EQ(countRuns(log).planned, 2U * (5 + 1) + 2);
    const auto isWhole = [](const LoggedRun& run) { return !run.key.tuning; };
    std::erase_if(log.runs, isWhole);
    EXPECT_EQ(tunedRate(log, "linear"), 3e-3) << "what is known so far";
    const std::optional<RunKey> next = nextRun(log);
    ASSERT_TRUE(next);
    EXPECT_EQ(next->seed, 0);
    EXPECT_FALSE(next->tuning);
    EXPECT_EQ(nextRun(log, {*next})->arm, "linear");
    EXPECT_EQ(nextRun(log, {*next})->seed, 0);
    EXPECT_EQ(countRuns(log).planned, 2U * (5 + 1) + 2);
}

TEST(NextRun, ExtendsAnEdgeTwiceAtMost)
{
    for (const double slope : {-1.0, 1.0}) {
        LabLog log = emptyLog(true);
        runAll(log, [slope](const RunKey& key) { return slope * std::log(key.rate); });

        EXPECT_EQ(log.runs.size(), 2U * (7 + 2)) << slope;
        EXPECT_NEAR(*tunedRate(log, "none"), slope > 0.0 ? 3e-5 : 0.3, 1e-9) << slope;
    }
}

TEST(NextRun, GivesUpAnArmThatAlwaysDiverges)
{
    LabLog log = emptyLog(true);
    runAll(log, [](const RunKey& key) { return key.arm == "linear" ? NAN : 1.0; });

    EXPECT_FALSE(tunedRate(log, "linear"));
    EXPECT_TRUE(tunedRate(log, "none"));
    for (const LoggedRun& run : log.runs) {
        EXPECT_TRUE(run.key.arm == "none" || run.key.tuning);
    }
    EXPECT_EQ(countRuns(log).done, countRuns(log).planned);
    EXPECT_TRUE(allRatesDiverged(log, "linear"));
    EXPECT_FALSE(allRatesDiverged(log, "none"));
    log.runs.clear();
    EXPECT_FALSE(allRatesDiverged(log, "linear"));
}

TEST(NextRun, GoesOnWithAnOpenRun)
{
    LabLog log = emptyLog(false);
    const RunKey first = nextRun(log).value();
    addRun(log, first, 1.0);
    log.runs.back().end = RunEnd::open;

    EXPECT_EQ(nextRun(log), first);
}

TEST(NextRun, GivesTuningAThirdOfTheBudget)
{
    LabPlan plan = emptyLog(true).plan;
    plan.budget = {.kind = BudgetKind::steps, .steps = 300};
    EXPECT_EQ(stepsWithin(plan, 7, false), 300);
    EXPECT_EQ(stepsWithin(plan, 7, true), 100);

    plan.budget = {.kind = BudgetKind::flops, .flops = 1'000};
    EXPECT_EQ(stepsWithin(plan, 7, false), 142);
    EXPECT_EQ(stepsWithin(plan, 7, true), 47);
    EXPECT_EQ(stepsWithin(plan, 5'000, false), 1);
    EXPECT_EQ(stepsWithin(plan, 0, false), 1'000);
}

// All rates of all arms at once, then nothing until one is known, then the seeds of that arm.
TEST(NextRun, LeavesOutWhatIsUnderWay)
{
    LabLog log = emptyLog(true);
    std::vector<RunKey> running;
    while (const auto key = nextRun(log, running)) {
        EXPECT_TRUE(key->tuning);
        running.push_back(*key);
    }
    ASSERT_EQ(running.size(), 10U); // five rates of none and linear

    for (const RunKey& key : running) {
        if (key.arm == "none") {
            addRun(log, key, key.rate == log.plan.baseRate ? 0.5 : 1.0);
        }
    }
    running.erase(running.begin(), running.begin() + 5);
    const auto next = nextRun(log, running);
    ASSERT_TRUE(next.has_value());
    EXPECT_FALSE(next->tuning);
    EXPECT_EQ(next->arm, "none");
}

} // namespace
} // namespace flopsmith
