// SPDX-License-Identifier: MIT
#include "core/lab/learned_claims.h"

#include "core/base/text.h"
#include "core/ffn/spectral.h"
#include "core/lab/log/lab_merge.h"
#include "core/lab/verdict.h"
#include "core/train/ffn_executor.h"

#include <algorithm>
#include <cmath>

namespace flopsmith {
namespace {

// The FFN of a claim about it and the dense one.
const FfnSpec* claimedFfn(const Claim& claim)
{
    const bool isOne = claim.sense == ClaimSense::timesFewer || claim.id == "swiglu";
    return isOne && claim.subject.operation ? std::get_if<FfnSpec>(&claim.subject.operation->what)
                                            : nullptr;
}

// How a spectral map is computed changes nothing of what it learns.
bool learnAlike(FfnSpec one, FfnSpec other)
{
    for (FfnSpec* ffn : {&one, &other}) {
        if (auto* spectral = get_if<SpectralFfn>(ffn)) {
            spectral->algorithm = SpectralAlgorithm::automatic;
        }
    }
    return one == other;
}

bool isWorse(const ArmResult& arm, const ArmResult* other, Score score)
{
    const ArmComparison found =
        other == nullptr ? ArmComparison{} : comparedScores(arm, *other, score);
    return found.isKnown() && found.gain.interval.excludesZero() && found.gain.interval.mean < 0.0;
}

LearnedVerdict verdictOf(const MeanInterval& gain, bool isLessThanDense)
{
    if (!gain.excludesZero()) {
        return LearnedVerdict::alike;
    }
    if (gain.mean < 0.0) {
        return LearnedVerdict::worse;
    }
    return isLessThanDense ? LearnedVerdict::lessThanDense : LearnedVerdict::better;
}

std::string gainText(LearnedVerdict verdict, const MeanInterval& gain)
{
    const std::string size =
        fixedText(std::abs(gain.mean), 3) + " \xC2\xB1 " + fixedText(gain.halfWidth, 3);
    switch (verdict) {
    case LearnedVerdict::notTried: return {};
    case LearnedVerdict::better: return "yes, +" + size;
    case LearnedVerdict::lessThanDense:
        return "less than FLOP-matched dense, +" + fixedText(gain.mean, 3);
    case LearnedVerdict::alike: return "no more than no FFN";
    case LearnedVerdict::worse: return "no, \xE2\x88\x92" + size;
    }
    return {};
}

std::string budgetText(const LabBudget& budget)
{
    return budget.kind == BudgetKind::steps ? std::to_string(budget.steps) + " steps"
                                            : siText(toDouble(budget.flops)) + "FLOP a run";
}

std::string runText(const LabLog& log, const LabResults& results, int seeds)
{
    const LabPlan& plan = log.plan;
    return std::string(info(plan.task).id) + ", d_model " + std::to_string(plan.sizes.dModel) + ", "
        + budgetText(plan.budget) + ", " + seedsText(seeds) + ", in "
        + std::string(scoreName(info(plan.task).score)) + " at equal "
        + std::string(viewName(results.view));
}

LearnedClaim learned(const ArmResult& arm, const LabLog& log, const LabResults& results)
{
    const Score score = info(log.plan.task).score;
    const ArmResult* none = results.arm(kNoFfnArm);
    if (none == nullptr) {
        return {};
    }
    const ArmComparison comparison = comparedScores(arm, *none, score);
    if (!comparison.isKnown()) {
        return {};
    }
    const MeanInterval& gain = comparison.gain.interval;
    const LearnedVerdict verdict = verdictOf(gain, isWorse(arm, results.arm(arm.arm.rival), score));
    return {.verdict = verdict,
            .gain = gain.mean,
            .halfWidth = gain.halfWidth,
            .text = gainText(verdict, gain),
            .sentence = armVerdict(arm, results, score),
            .run = runText(log, results, gain.count)};
}

void keepLast(std::vector<LoggedPoint>& points)
{
    points.erase(points.begin(), points.end() - std::min<std::ptrdiff_t>(1, std::ssize(points)));
}

void leaveCurveOut(LoggedRun& run)
{
    run.losses.clear();
    run.gradientNorms.clear();
    run.balanceLosses.clear();
    run.loadEntropies.clear();
    run.parts.clear();
    keepLast(run.points);
    for (LoggedBranch& branch : run.branches) {
        branch.said = {};
        keepLast(branch.points);
    }
}

} // namespace

std::vector<Arm> claimedArms(int dModel)
{
    std::vector<Arm> arms;
    for (const Claim& claim : claims({.dModel = dModel, .dFf = 4 * dModel})) {
        if (const FfnSpec* ffn = claimedFfn(claim)) {
            arms.push_back({.name = claim.id, .ffn = withoutDropout(legalAt(*ffn, dModel))});
        }
    }
    return arms;
}

std::vector<LearnedClaim> learnedClaims(const std::vector<Claim>& claims, const LabLog& log)
{
    const LabResults results = labResults(log, log.plan.ownView());
    const std::vector<Arm> arms = claimedArms(log.plan.sizes.dModel);
    std::vector<LearnedClaim> found;
    for (const Claim& claim : claims) {
        const auto claimed =
            std::ranges::find_if(arms, [&](const Arm& arm) { return arm.name == claim.id; });
        const auto tried = std::ranges::find_if(results.arms, [&](const ArmResult& result) {
            return claimed != arms.end() && learnAlike(result.arm.ffn, claimed->ffn);
        });
        found.push_back(tried == results.arms.end() ? LearnedClaim{}
                                                    : learned(*tried, log, results));
    }
    return found;
}

std::string summaryOfLog(LabLog log)
{
    std::erase_if(log.runs, [](const LoggedRun& run) {
        return run.key.arm.empty() || run.end == RunEnd::open;
    });
    std::ranges::for_each(log.runs, leaveCurveOut);
    return logText(log);
}

} // namespace flopsmith
