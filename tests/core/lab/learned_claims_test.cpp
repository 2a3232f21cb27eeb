// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lab/results/learned_claims.h"

#include "core/ffn/no_ffn.h"
#include "core/ffn/spectral.h"
#include "core/lab/results/lab_results.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

namespace flopsmith {
namespace {

constexpr int kClaimsWidth = 64;

LabLog logOfClaims(int seeds = 3)
{
    LabPlan plan{.task = GrammarTask{},
                 .sizes = {.dModel = kClaimsWidth, .layers = 1, .heads = 1},
                 .seeds = seeds,
                 .tunes = false};
    return {
        .plan = plannedLab(plan, claimedArms(kClaimsWidth)).value(), .machine = "a", .runs = {}};
}

// Every seed a little worse than the one before, in every arm.
void addSeeds(LabLog& log, const std::string& arm, double score)
{
    for (int seed = 1; seed <= log.plan.seeds; ++seed) {
        LoggedRun run{.key = {.arm = arm, .seed = seed, .rate = log.plan.baseRate},
                      .steps = 500,
                      .parameters = 7};
        run.end = RunEnd::finished;
        run.curves.losses = {3.0, 2.0};
        run.curves.gradientNorms = {1.0, 1.0};
        for (const int step : {0, 500}) {
            const double found = score + 0.01 * seed + (step == 0 ? 1.0 : 0.0);
            run.points.push_back(
                {.step = step, .flops = 2.0 * step, .loss = found, .score = found});
        }
        log.runs.push_back(run);
    }
}

const LearnedClaim& of(std::string_view id,
                       const std::vector<Claim>& all,
                       const std::vector<LearnedClaim>& learned)
{
    const auto found = std::ranges::find(all, id, &Claim::id);
    return learned.at(static_cast<std::size_t>(found - all.begin()));
}

TEST(LearnedClaims, AreAboutFfnsThatALabCanTrainAtAnyWidth)
{
    for (const int width : {24, 64, 128}) {
        std::set<std::string> names;
        for (const Arm& arm : claimedArms(width)) {
            names.insert(arm.name);
        }

        EXPECT_TRUE(comparedArms(claimedArms(width), width).ok()) << width;
        for (const char* id : {"spectral", "swiglu", "kronecker", "ultra_efficient_sparse"}) {
            EXPECT_TRUE(names.contains(id)) << id;
        }
    }
}

TEST(LearnedClaims, AreTheSameHoweverASpectralMapIsComputed)
{
    LabLog log = logOfClaims();
    const FfnSpec circulant = SpectralFfn{.kFreq = SpectralFfn::bins(kClaimsWidth)};
    log.plan = plannedLab(log.plan, {{.name = "mine", .ffn = circulant}}).value();
    addSeeds(log, "none", 2.0);
    addSeeds(log, "mine", 1.75);
    const std::vector<Claim> all = claims({});

    EXPECT_EQ(of("spectral", all, learnedClaims(all, log)).verdict, LearnedVerdict::better);
    EXPECT_EQ(of("spectral_top_k", all, learnedClaims(all, log)), LearnedClaim{});
}

TEST(LearnedClaims, SayYesOrNoOnlyIfTheIntervalExcludesZero)
{
    LabLog log = logOfClaims();
    addSeeds(log, "none", 2.0);
    addSeeds(log, "swiglu", 1.75);
    addSeeds(log, "spectral", 2.125);
    addSeeds(log, "kronecker", 2.0);
    const std::vector<Claim> all = claims({});

    const std::vector<LearnedClaim> learned = learnedClaims(all, log);

    ASSERT_EQ(learned.size(), all.size());
    EXPECT_EQ(of("swiglu", all, learned).verdict, LearnedVerdict::better);
    EXPECT_EQ(of("swiglu", all, learned).text, "yes, +0.250 \xC2\xB1 0.000");
    EXPECT_NEAR(of("swiglu", all, learned).gain, 0.25, 1e-12);
    EXPECT_EQ(of("spectral", all, learned).verdict, LearnedVerdict::worse);
    EXPECT_EQ(of("spectral", all, learned).text,
              "no, \xE2\x88\x92"
              "0.125 \xC2\xB1 0.000");
    EXPECT_EQ(of("kronecker", all, learned).verdict, LearnedVerdict::alike);
    EXPECT_EQ(of("kronecker", all, learned).text, "no more than no FFN");
    EXPECT_EQ(of("micro_refine", all, learned), LearnedClaim{}); // no seed is finished
    EXPECT_EQ(of("backward", all, learned), LearnedClaim{}); // about no FFN
}

TEST(LearnedClaims, AreMeasuredByADenseFfnAsCheapToo)
{
    LabLog log = logOfClaims();
    addSeeds(log, "none", 2.0);
    addSeeds(log, "swiglu", 1.75);
    addSeeds(log, log.plan.arm("swiglu")->rival, 1.5);
    const std::vector<Claim> all = claims({});

    EXPECT_EQ(of("swiglu", all, learnedClaims(all, log)).verdict, LearnedVerdict::lessThanDense);
    EXPECT_EQ(of("swiglu", all, learnedClaims(all, log)).text,
              "less than FLOP-matched dense, +0.250");
}

// As bad as a bad rival is not "yes": the room between no FFN and the best FFN is what can be learned.
TEST(LearnedClaims, SayYesOnlyWhereMuchIsLearnedOrMoreThanDense)
{
    const std::vector<Claim> all = claims({});
    const auto learnedBeside = [&all](std::optional<double> rival) {
        LabLog log = logOfClaims();
        addSeeds(log, "none", 2.0);
        addSeeds(log, "kronecker", 1.0);
        addSeeds(log, "swiglu", 1.95);
        if (rival) {
            addSeeds(log, log.plan.arm("swiglu")->rival, *rival);
        }
        return of("swiglu", all, learnedClaims(all, log));
    };

    const LearnedClaim alike = learnedBeside(1.95);
    EXPECT_EQ(alike.verdict, LearnedVerdict::little);
    EXPECT_EQ(alike.text, "as little as its dense rival, +0.050");
    EXPECT_NE(alike.sentence.find("; 5.0 % of what kronecker gains, the best here."),
              std::string::npos)
        << alike.sentence;
    EXPECT_EQ(learnedBeside({}).text, "little, +0.050");
    EXPECT_EQ(learnedBeside(1.97).verdict, LearnedVerdict::better);
    EXPECT_EQ(learnedBeside(1.9).verdict, LearnedVerdict::lessThanDense);
}

TEST(LearnedClaims, KnowAnFfnByWhatItIsAndNotByItsName)
{
    LabLog log = logOfClaims();
    for (Arm& arm : log.plan.arms) {
        arm.name = arm.name == "swiglu" ? "mine" : arm.name;
        if (auto* spectral = get_if<SpectralFfn>(&arm.ffn); arm.name == "spectral") {
            spectral->kFreq -= 1;
        }
    }
    addSeeds(log, "none", 2.0);
    addSeeds(log, "mine", 1.5);
    addSeeds(log, "spectral", 1.5);
    const std::vector<Claim> all = claims({});

    EXPECT_EQ(of("swiglu", all, learnedClaims(all, log)).verdict, LearnedVerdict::better);
    EXPECT_EQ(of("spectral", all, learnedClaims(all, log)).verdict, LearnedVerdict::notTried);
}

TEST(LearnedClaims, OfASummaryAreThoseOfTheLog)
{
    LabLog log = logOfClaims();
    addSeeds(log, "none", 2.0);
    addSeeds(log, "swiglu", 1.75);
    const std::string text = summaryOfLog(log);
    const LabLog summary = parsedLabLog(text, "summary").value();
    const std::vector<Claim> all = claims({});

    EXPECT_EQ(summary.damagedLines, 0U);
    EXPECT_EQ(learnedClaims(all, summary), learnedClaims(all, log));
    EXPECT_EQ(labResults(summary, LabView::steps).arm("swiglu")->parameters, 7);
    EXPECT_EQ(text.find("losses"), std::string::npos);
}

TEST(LearnedClaims, OfTheProgramsOwnLogAreAllThere)
{
    const LabLog& log = shippedClaimsLog();
    const std::vector<Claim> all = claims({});
    const std::vector<LearnedClaim> learned = learnedClaims(all, log);

    EXPECT_EQ(log.damagedLines, 0U);
    EXPECT_EQ(of("micro_refine", all, learned).verdict,
              LearnedVerdict::little); // 2.5 % of the facts
    EXPECT_EQ(of("swiglu", all, learned).verdict, LearnedVerdict::better);
    for (const Arm& arm : claimedArms(log.plan.sizes.dModel)) {
        EXPECT_NE(of(arm.name, all, learned).verdict, LearnedVerdict::notTried) << arm.name;
        EXPECT_NE(of(arm.name, all, learned).run.find(std::to_string(log.plan.seeds) + " seeds"),
                  std::string::npos);
    }
}

TEST(LearnedKinds, AreTheClaimsWhateverTheSizes)
{
    const LabLog& log = shippedClaimsLog();
    const LearnedKinds kinds(log);
    const std::vector<Claim> wide = claims({.dModel = 4096, .dFf = 16384});
    const std::vector<LearnedClaim> learned = learnedClaims(wide, log);
    int tried = 0;
    for (std::size_t i = 0; i < wide.size(); ++i) {
        const auto* ffn = wide[i].subject.operation
            ? std::get_if<FfnSpec>(&wide[i].subject.operation->what)
            : nullptr;
        if (ffn != nullptr && learned[i].verdict != LearnedVerdict::notTried) {
            EXPECT_NE(kinds.of(*ffn).verdict, LearnedVerdict::notTried) << wide[i].id;
            ++tried;
        }
    }
    EXPECT_GT(tried, 3);
    EXPECT_EQ(kinds.of(NoFfn{}).verdict, LearnedVerdict::notTried);
}

} // namespace
} // namespace flopsmith
