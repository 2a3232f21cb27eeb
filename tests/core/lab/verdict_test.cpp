// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/results/verdict.h"

#include "core/base/text.h"
#include "core/lab/progress/next_run.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace flopsmith {
namespace {

// A lab on text with one arm, three seeds, and the base rate.
LabLog logOf(const TaskSpec& task, int seeds = 3)
{
    LabPlan plan{.task = task,
                 .sizes = {.dModel = 64, .layers = 1, .heads = 1},
                 .seeds = seeds,
                 .tunes = false};
    const Arm spectral{.name = "spectral", .ffn = armNamed("spectral", 64).value()};
    return {.plan = plannedLab(plan, {spectral}).value(), .machine = "a laptop", .runs = {}};
}

// One finished run per score; every step costs so many FLOPs and a second.
void addRuns(LabLog& log, const std::string& arm, const std::vector<double>& scores, double flops)
{
    for (std::size_t i = 0; i < scores.size(); ++i) {
        LoggedRun run{.key = {.arm = arm,
                              .seed = static_cast<int>(i) + 1,
                              .rate = log.plan.baseRate,
                              .tuning = false},
                      .steps = 100};
        run.end = RunEnd::finished;
        for (const int step : {0, 20, 40, 60, 80, 100}) {
            run.points.push_back({.step = step,
                                  .flops = flops * step,
                                  .seconds = static_cast<double>(step),
                                  .loss = scores[i],
                                  .score = scores[i] + (100 - step) / 50.0});
        }
        log.runs.push_back(run);
    }
}

std::string rivalOf(const LabLog& log)
{
    return log.plan.arms[0].rival;
}

TEST(Verdict, NamesADifferenceOnlyIfItsIntervalExcludesZero)
{
    LabLog log = logOf(GrammarTask{});
    addRuns(log, "none", {2.00, 2.10, 2.20}, 1.0);
    addRuns(log, "spectral", {1.90, 2.10, 2.30}, 2.0);
    addRuns(log, rivalOf(log), {1.89, 1.98, 2.11}, 2.0);

    const std::vector<std::string> sentences = verdicts(log, LabView::steps);

    ASSERT_EQ(sentences.size(), 1U);
    EXPECT_EQ(sentences[0],
              "spectral: not distinguishable from no FFN (+0.000 \xC2\xB1 0.248, 3 seeds); not "
              "distinguishable from the FLOP-matched "
                  + rivalOf(log)
                  + " (\xE2\x88\x92"
                    "0.107 \xC2\xB1 0.225, 3 seeds).");
}

TEST(Verdict, SaysByHowMuchAndOnHowManySeeds)
{
    LabLog log = logOf(GrammarTask{});
    addRuns(log, "none", {2.00, 2.10, 2.20}, 1.0);
    addRuns(log, "spectral", {1.80, 1.91, 1.99}, 2.0);
    addRuns(log, rivalOf(log), {1.60, 1.71, 1.79}, 2.0);

    const std::string sentence = verdicts(log, LabView::steps).at(0);

    EXPECT_NE(sentence.find("better than no FFN by 0.200 \xC2\xB1 0.025 (3 of 3 seeds)"),
              std::string::npos)
        << sentence;
    EXPECT_NE(sentence.find("worse than the FLOP-matched " + rivalOf(log) + " by 0.200"),
              std::string::npos)
        << sentence;
}

TEST(Verdict, KnowsWhereMoreIsBetter)
{
    LabLog log = logOf(FactsTask{});
    addRuns(log, "none", {0.10, 0.11, 0.12}, 1.0);
    addRuns(log, "spectral", {0.50, 0.51, 0.52}, 2.0);

    EXPECT_NE(verdicts(log, LabView::steps).at(0).find("better than no FFN by 0.400"),
              std::string::npos);
}

TEST(Verdict, SaysNothingOfOneSeedAndWhatIsMissing)
{
    LabLog log = logOf(GrammarTask{});
    EXPECT_EQ(verdicts(log, LabView::steps).at(0), "spectral: no seed is finished yet.");

    addRuns(log, "none", {2.0}, 1.0);
    addRuns(log, "spectral", {1.0}, 2.0);
    EXPECT_NE(
        verdicts(log, LabView::steps).at(0).find("not compared with no FFN: 1 seed in common"),
        std::string::npos);
}

TEST(Verdict, DoesNotJudgeSeedsThatAreStillMissing)
{
    LabLog log = logOf(GrammarTask{});
    addRuns(log, "spectral", {1.0}, 2.0);
    log.runs[0].end = RunEnd::diverged;

    EXPECT_EQ(verdicts(log, LabView::steps).at(0),
              "spectral: diverged on 1 seed, and no other is finished.");
}

TEST(Verdict, PairsSeedsThatBothFinished)
{
    LabLog log = logOf(GrammarTask{});
    addRuns(log, "none", {2.0, 2.0, 5.0}, 1.0);
    addRuns(log, "spectral", {1.0, 1.0}, 2.0);
    log.runs[2].end = RunEnd::diverged;

    const LabResults results = labResults(log, LabView::steps);
    const ArmComparison comparison =
        comparedScores(*results.arm("spectral"), *results.arm("none"), Score::nats);
    EXPECT_EQ(comparison.gain.interval.count, 2);
    EXPECT_DOUBLE_EQ(comparison.gain.interval.mean, 1.0);
    EXPECT_EQ(results.arm("none")->diverged, 1);
    EXPECT_NE(verdicts(log, LabView::steps).at(0).find("none diverged on 1 seed"),
              std::string::npos);
}

TEST(Verdict, SaysHowManyComparisonsOfWhichWidthItMakes)
{
    LabLog log = logOf(GrammarTask{});
    EXPECT_EQ(limitsText(log, labResults(log, LabView::steps)),
              "All of it at d_model 64; other widths may say otherwise.");

    addRuns(log, "none", {2.0, 2.1, 2.2}, 1.0);
    addRuns(log, "spectral", {1.0, 1.1, 1.2}, 2.0);
    EXPECT_NE(limitsText(log, labResults(log, LabView::steps)).find(" 1 comparison; "),
              std::string::npos);

    addRuns(log, rivalOf(log), {1.0, 1.1, 1.2}, 2.0);
    EXPECT_NE(limitsText(log, labResults(log, LabView::steps))
                  .find(" 2 comparisons, not corrected for their number; "),
              std::string::npos);
}

TEST(Verdict, SaysAfterWhichShareOfItsStepsAnArmIsCut)
{
    LabLog log = logOf(GrammarTask{});
    addRuns(log, "none", {2.0, 2.1, 2.2}, 1.0);
    addRuns(log, "spectral", {1.0, 1.1, 1.2}, 4.0);
    const LabResults flops = labResults(log, LabView::flops);

    EXPECT_EQ(flops.arm("spectral")->shareOfSteps, 0.2);
    EXPECT_NE(verdicts(log, LabView::flops).at(0).find("; cut after 20.0 % of its steps."),
              std::string::npos);
    EXPECT_NE(viewText(log, flops).find("; spectral stops after 20.0 % of its steps."),
              std::string::npos)
        << viewText(log, flops);
    EXPECT_EQ(verdicts(log, LabView::steps).at(0).find("cut after"), std::string::npos);
}

// Rates fall from step 80 on.
TEST(LabResults, CutEveryRunWhereTheShortestBeginsToCoolDown)
{
    LabLog log = logOf(GrammarTask{});
    addRuns(log, "none", {2.0, 2.0, 2.0}, 1.0);
    addRuns(log, "spectral", {1.0, 1.0, 1.0}, 2.0);

    const LabResults steps = labResults(log, LabView::steps);
    EXPECT_TRUE(steps.isEnd);
    EXPECT_EQ(steps.arm("spectral")->points.at(1).step, 100);

    const LabResults flops = labResults(log, LabView::flops);
    EXPECT_FALSE(flops.isEnd);
    EXPECT_EQ(*flops.budget, 80.0);
    EXPECT_EQ(flops.arm("none")->points.at(1).step, 80);
    EXPECT_EQ(flops.arm("spectral")->points.at(1).step, 40);
    EXPECT_EQ(flops.arm("spectral")->points.at(1).score, 1.0 + 60 / 50.0);
    EXPECT_TRUE(flops.arm("linear")->points.empty());

    const std::string said = viewText(log, labResults(log, LabView::seconds));
    EXPECT_NE(said.find("a laptop"), std::string::npos) << said;
    EXPECT_NE(said.find("before they cool down"), std::string::npos) << said;
}

TEST(LabResults, CutNoRunInItsCoolDown)
{
    LabLog log = logOf(GrammarTask{});
    addRuns(log, "none", {2.0}, 1.1); // at most 72 steps within 80 FLOP
    addRuns(log, "spectral", {1.0}, 1.0);

    const LabResults flops = labResults(log, LabView::flops);

    EXPECT_EQ(flops.arm("none")->points.at(1).step, 60);
    EXPECT_EQ(flops.arm("spectral")->points.at(1).step, 80);
}

TEST(LabResults, SayThatRatesOfStudentsFallAllAlong)
{
    LabLog log = logOf(TeacherTask{});
    addRuns(log, "none", {0.0}, 1.0);

    const std::string said = viewText(log, labResults(log, LabView::flops));

    EXPECT_NE(said.find("falls all along"), std::string::npos) << said;
}

TEST(LabResults, CountAnEvaluationThatIsNotFiniteAsDiverged)
{
    LabLog log = logOf(GrammarTask{});
    addRuns(log, "none", {2.0, std::nan(""), 2.2}, 1.0);

    const LabResults results = labResults(log, LabView::steps);

    EXPECT_EQ(results.arm("none")->diverged, 1);
    EXPECT_EQ(results.arm("none")->points.size(), 2U);
}

TEST(LabResults, KnowParametersFromTheFirstRunOfAnArm)
{
    LabLog log = logOf(GrammarTask{});
    log.runs.push_back({.key = {.arm = "spectral", .rate = 1.0, .tuning = true}, .parameters = 7});

    EXPECT_EQ(labResults(log, LabView::steps).arm("spectral")->parameters, 7);
    EXPECT_FALSE(labResults(log, LabView::steps).arm("none")->parameters);
}

// A last update may leave weights whose evaluation is not finite, at each of the rates.
TEST(LabResults, SayThatNoRateOfAnArmIsLeft)
{
    LabLog log = logOf(GrammarTask{});
    log.plan.tunes = true;
    while (const auto key = nextRun(log)) {
        LoggedRun run{.key = *key, .end = RunEnd::finished};
        run.points.push_back({.step = 1, .loss = key->arm == "spectral" ? NAN : 1.0});
        log.runs.push_back(run);
    }

    EXPECT_TRUE(labResults(log, LabView::steps).arm("spectral")->gaveUp);
    EXPECT_FALSE(labResults(log, LabView::steps).arm("none")->gaveUp);
    EXPECT_EQ(verdicts(log, LabView::steps).at(0), "spectral: diverged at every learning rate.");
}

TEST(LabResults, NeverReachBeyondTheLog)
{
    LoggedRun run;
    run.points = {{.step = 10, .loss = 3.0}, {.step = 20, .loss = 2.0}};

    EXPECT_FALSE(pointAt({}, run, LabView::steps, 9.0));
    EXPECT_EQ(pointAt({}, run, LabView::steps, 19.0)->step, 10);
    EXPECT_EQ(pointAt({}, run, LabView::steps, 1e9)->step, 20);
}

TEST(LabResults, DrawMedianAndBand)
{
    LabLog log = logOf(GrammarTask{});
    addRuns(log, "none", {2.0, 7.0, 3.0}, 1.0);

    const std::vector<LossPoint> curve = lossCurve(log, "none", LabView::flops);

    ASSERT_EQ(curve.size(), 6U);
    EXPECT_EQ(curve[5].x, 100.0);
    EXPECT_EQ(curve[5].median, 3.0);
    EXPECT_EQ(curve[5].low, 2.0);
    EXPECT_EQ(curve[5].high, 7.0);
}

TEST(VerdictText, ShowsNumbersOfOneForm)
{
    EXPECT_EQ(fixedText(0.12345, 3), "0.123");
    EXPECT_EQ(fixedText(-2.0, 1), "-2.0");
    EXPECT_EQ(intervalText({.mean = 0.5, .halfWidth = 0.25, .count = 3}, 2), "0.50 \xC2\xB1 0.25");
    EXPECT_EQ(intervalText({.mean = 0.5, .halfWidth = 0.0, .count = 1}), "0.500");
    EXPECT_EQ(intervalText({}), "\xE2\x80\x93");
}

} // namespace
} // namespace flopsmith
