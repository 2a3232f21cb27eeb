// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/stopping_rule.h"

#include "core/base/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

namespace flopsmith {
namespace {

struct Outcome
{
    Verdict verdict = Verdict::Continue;
    std::size_t samples = 0;
    StoppingRule rule{StoppingLimits{}};
};

// Feeds samples until the rule ends. Every sample takes `step` seconds of the budget, whatever
// its value, so that a test can choose how many fit.
Outcome outcomeOf(const StoppingLimits& limits,
                  double step,
                  const std::function<double(int)>& sample)
{
    Outcome outcome;
    outcome.rule = StoppingRule(limits);
    for (int i = 0; outcome.verdict == Verdict::Continue; ++i) {
        outcome.verdict = outcome.rule.add({{sample(i)}}, (i + 1) * step);
    }
    outcome.samples = outcome.rule.samples().count();
    return outcome;
}

StoppingLimits limitsWithoutMinimumTime()
{
    StoppingLimits limits;
    limits.minSeconds = 0.0;
    return limits;
}

TEST(StoppingRule, KnowsNothingBeforeTheFirstSample)
{
    const StoppingRule rule{StoppingLimits{}};

    EXPECT_TRUE(rule.samples().empty());
    EXPECT_FALSE(rule.relativeHalfWidth().has_value());
    EXPECT_FALSE(rule.isDrifting());
}

TEST(StoppingRule, ConstantTimesSettleAtTheLeastNumberOfSamples)
{
    const Outcome outcome = outcomeOf(limitsWithoutMinimumTime(), 1e-4, [](int) { return 2.0; });

    EXPECT_EQ(outcome.verdict, Verdict::Settled);
    EXPECT_EQ(outcome.samples, 6U);
    EXPECT_EQ(outcome.rule.relativeHalfWidth(), 0.0);
}

TEST(StoppingRule, AsksForSixSamplesEvenWhenFewerWouldBeAllowed)
{
    StoppingLimits limits = limitsWithoutMinimumTime();
    limits.minSamples = 2;

    EXPECT_EQ(outcomeOf(limits, 1e-4, [](int) { return 2.0; }).samples, 6U);
}

TEST(StoppingRule, LooksForTheLeastTimeEvenWhenAllIsQuiet)
{
    StoppingLimits limits;
    limits.minSeconds = 0.02;

    const Outcome outcome = outcomeOf(limits, 0.001, [](int) { return 0.001; });

    EXPECT_EQ(outcome.verdict, Verdict::Settled);
    EXPECT_EQ(outcome.samples, 20U);
}

TEST(StoppingRule, NoisyTimesTakeMoreSamplesThanQuietOnes)
{
    Random quiet(3);
    Random noisy(3);

    const Outcome few = outcomeOf(
        limitsWithoutMinimumTime(), 1e-4, [&](int) { return 1.0 + 0.01 * quiet.normal(); });
    const Outcome many = outcomeOf(
        limitsWithoutMinimumTime(), 1e-4, [&](int) { return 1.0 + 0.05 * noisy.normal(); });

    EXPECT_EQ(few.verdict, Verdict::Settled);
    EXPECT_EQ(many.verdict, Verdict::Settled);
    EXPECT_GT(many.samples, 4 * few.samples);
    EXPECT_LE(*many.rule.relativeHalfWidth(), 0.01);
    EXPECT_NEAR(many.rule.samples().median(), 1.0, 0.02);
}

TEST(StoppingRule, ALooserPrecisionNeedsFewerSamples)
{
    StoppingLimits loose = limitsWithoutMinimumTime();
    loose.relativePrecision = 0.05;
    Random random(3);

    const Outcome outcome =
        outcomeOf(loose, 1e-4, [&](int) { return 1.0 + 0.05 * random.normal(); });

    EXPECT_EQ(outcome.verdict, Verdict::Settled);
    EXPECT_LT(outcome.samples, 40U);
}

TEST(StoppingRule, ADriftDoesNotSettle)
{
    // A processor that gets hot: slower and slower, by a factor of 3 within the budget.
    const Outcome outcome =
        outcomeOf(StoppingLimits{}, 1e-3, [](int i) { return 1.0 + 0.002 * i; });

    EXPECT_EQ(outcome.verdict, Verdict::GaveUp);
    EXPECT_TRUE(outcome.rule.isDrifting());
}

TEST(StoppingRule, AStepInSpeedIsADriftUntilTheNewSpeedPrevails)
{
    // At the first look the interval of the median has no width: 300 of 500 are alike.
    StoppingLimits limits;
    limits.minSeconds = 0.5;
    const auto slowsDown = [](int i) { return i < 300 ? 1.0 : 1.2; };

    const Outcome brief = outcomeOf(limits, 1e-3, slowsDown);
    limits.budgetSeconds = 2.0;
    const Outcome patient = outcomeOf(limits, 1e-3, slowsDown);

    EXPECT_EQ(brief.verdict, Verdict::GaveUp);
    EXPECT_TRUE(brief.rule.isDrifting());
    EXPECT_EQ(patient.verdict, Verdict::Settled);
    EXPECT_EQ(patient.rule.samples().median(), 1.2);
}

TEST(StoppingRule, TwoSpeedsInTurnNeverSettle)
{
    const Outcome outcome =
        outcomeOf(StoppingLimits{}, 1e-3, [](int i) { return i % 2 == 0 ? 1.0 : 1.5; });

    EXPECT_EQ(outcome.verdict, Verdict::GaveUp);
    EXPECT_FALSE(outcome.rule.isDrifting());
    EXPECT_NEAR(*outcome.rule.relativeHalfWidth(), 0.2, 0.05);
}

TEST(StoppingRule, ABurstIsOneObservationHoweverManySamplesItHas)
{
    // Within a burst all is alike, from burst to burst the machine is up to 20 % slower.
    StoppingRule rule{limitsWithoutMinimumTime()};
    Random random(7);
    Verdict verdict = Verdict::Continue;
    for (int i = 0; i < 20; ++i) {
        verdict = rule.add({std::vector<double>(100, 1.0 + 0.2 * random.uniform())}, 0.01 * i);
    }

    EXPECT_EQ(verdict, Verdict::Continue);
    EXPECT_GT(*rule.relativeHalfWidth(), 0.01);
    EXPECT_EQ(rule.samples().count(), 2000U);
}

TEST(StoppingRule, DisturbedBurstsAreSetAsideOnceThereAreEnoughOthers)
{
    StoppingRule rule{limitsWithoutMinimumTime()};

    for (int i = 0; i < 5; ++i) {
        EXPECT_EQ(rule.add({{3.0}, true}, 0.02 * i), Verdict::Continue);
        EXPECT_EQ(rule.add({{1.0}, false}, 0.02 * i + 0.01), Verdict::Continue);
    }
    EXPECT_EQ(rule.samples().count(), 10U);
    EXPECT_EQ(rule.add({{1.0}, false}, 0.2), Verdict::Settled);
    EXPECT_EQ(rule.samples().count(), 6U);
    EXPECT_EQ(rule.samples().max(), 1.0);
}

TEST(StoppingRule, DisturbedSamplesCountTowardsTheLimit)
{
    StoppingLimits limits;
    limits.maxSamples = 30;
    StoppingRule rule(limits);

    EXPECT_EQ(rule.add({std::vector<double>(29, 1.0), true}, 0.01), Verdict::Continue);
    EXPECT_EQ(rule.samplesLeft(), 1U);
    EXPECT_EQ(rule.add({{1.0}, true}, 0.02), Verdict::GaveUp);
    EXPECT_EQ(rule.samplesLeft(), 0U);
}

TEST(StoppingRule, RareOutliersDoNotDelayIt)
{
    const Outcome outcome =
        outcomeOf(limitsWithoutMinimumTime(), 1e-3, [](int i) { return i % 10 == 3 ? 40.0 : 1.0; });

    EXPECT_EQ(outcome.verdict, Verdict::Settled);
    EXPECT_LE(outcome.samples, 12U);
    EXPECT_EQ(outcome.rule.samples().median(), 1.0);
}

TEST(StoppingRule, TheBudgetEndsASlowOneAndKeepsItsSamples)
{
    const Outcome outcome = outcomeOf(StoppingLimits{}, 0.3, [](int) { return 0.3; });

    EXPECT_EQ(outcome.verdict, Verdict::GaveUp);
    EXPECT_EQ(outcome.samples, 4U);
    EXPECT_EQ(outcome.rule.samples().median(), 0.3);
}

TEST(StoppingRule, AnExhaustedBudgetStillAllowsOneSample)
{
    StoppingLimits limits;
    limits.budgetSeconds = 0.0;

    EXPECT_EQ(outcomeOf(limits, 3.0, [](int) { return 3.0; }).samples, 1U);
}

TEST(StoppingRule, TheLastSampleMaySettleWhatTheBudgetEnds)
{
    StoppingLimits limits;
    limits.budgetSeconds = 0.6;

    const Outcome outcome = outcomeOf(limits, 0.1, [](int) { return 0.1; });

    EXPECT_EQ(outcome.verdict, Verdict::Settled);
    EXPECT_EQ(outcome.samples, 6U);
}

TEST(StoppingRule, TheSampleLimitEndsWhatTheBudgetDoesNot)
{
    StoppingLimits limits;
    limits.maxSamples = 50;

    const Outcome outcome = outcomeOf(limits, 1e-9, [](int i) { return i % 2 == 0 ? 1.0 : 1.5; });

    EXPECT_EQ(outcome.verdict, Verdict::GaveUp);
    EXPECT_EQ(outcome.samples, 50U);
}

TEST(StoppingRule, AClockTooCoarseToSeeTheRunNeverSettles)
{
    StoppingLimits limits = limitsWithoutMinimumTime();
    limits.maxSamples = 30;

    const Outcome outcome = outcomeOf(limits, 0.0, [](int) { return 0.0; });

    EXPECT_EQ(outcome.verdict, Verdict::GaveUp);
    EXPECT_FALSE(outcome.rule.relativeHalfWidth().has_value());
}

// The promise in one number: of many settled measurements of the same noisy thing nearly all are
// within the precision asked for.
TEST(StoppingRule, SettledMediansAreAsPreciseAsPromised)
{
    Random random(11);
    int within = 0;
    const int trials = 300;
    for (int trial = 0; trial < trials; ++trial) {
        StoppingLimits limits;
        limits.relativePrecision = 0.02;
        const Outcome outcome =
            outcomeOf(limits, 1e-3, [&](int) { return 1.0 + 0.05 * random.normal(); });
        EXPECT_EQ(outcome.verdict, Verdict::Settled);
        within += std::abs(outcome.rule.samples().median() - 1.0) <= 0.02 ? 1 : 0;
    }

    EXPECT_GE(within, trials * 90 / 100);
}

} // namespace
} // namespace flopsmith
