// SPDX-License-Identifier: MIT
#include "core/lab/results/learned_claims.h"

#include "core/base/text.h"
#include "core/ffn/composed.h"
#include "core/ffn/spectral.h"
#include "core/lab/log/lab_merge.h"
#include "core/lab/results/verdict.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

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

// The interval of what the arm gains over the other; nothing where it is not known.
std::optional<MeanInterval> gainOver(const ArmResult* other, const ArmResult& arm, Score score)
{
    const ArmComparison found =
        other == nullptr ? ArmComparison{} : comparedScores(arm, *other, score);
    return found.isKnown() ? std::optional(found.gain.interval) : std::nullopt;
}

/// The arm that gains most over no FFN: what there is to learn in this lab.
struct BestGain
{
    std::string arm{};
    double mean = 0.0;
};

BestGain bestGain(const LabResults& results, const ArmResult& none, Score score)
{
    BestGain best;
    for (const ArmResult& arm : results.arms) {
        const std::optional<MeanInterval> gain = gainOver(&none, arm, score);
        if (gain && gain->mean > best.mean) {
            best = {.arm = arm.arm.name, .mean = gain->mean};
        }
    }
    return best;
}

constexpr double kLittle = 0.1; // of the best gain

LearnedVerdict verdictOf(const MeanInterval& gain,
                         const std::optional<MeanInterval>& overDense,
                         const BestGain& best)
{
    if (!gain.excludesZero()) {
        return LearnedVerdict::alike;
    }
    if (gain.mean < 0.0) {
        return LearnedVerdict::worse;
    }
    const bool isDifferent = overDense && overDense->excludesZero();
    if (isDifferent) {
        return overDense->mean < 0.0 ? LearnedVerdict::lessThanDense : LearnedVerdict::better;
    }
    return gain.mean < kLittle * best.mean ? LearnedVerdict::little : LearnedVerdict::better;
}

// "…; 0.9 % of what swiglu gains, the best here."
std::string withShareOfBest(std::string sentence, const MeanInterval& gain, const BestGain& best)
{
    if (sentence.ends_with('.')) {
        sentence.pop_back();
    }
    return sentence + "; " + percentText(gain.mean / best.mean) + " of what " + best.arm
        + " gains, the best here.";
}

std::string gainText(LearnedVerdict verdict, const MeanInterval& gain, bool isBesideDense)
{
    const std::string size =
        fixedText(std::abs(gain.mean), 3) + " \xC2\xB1 " + fixedText(gain.halfWidth, 3);
    switch (verdict) {
    case LearnedVerdict::notTried: return {};
    case LearnedVerdict::better: return "yes, +" + size;
    case LearnedVerdict::lessThanDense:
        return "less than FLOP-matched dense, +" + fixedText(gain.mean, 3);
    case LearnedVerdict::little:
        return (isBesideDense ? "as little as its dense rival, +" : "little, +")
            + fixedText(gain.mean, 3);
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
    const std::optional<MeanInterval> overDense = gainOver(results.arm(arm.arm.rival), arm, score);
    const BestGain best = bestGain(results, *none, score);
    const LearnedVerdict verdict = verdictOf(gain, overDense, best);
    std::string sentence = armVerdict(arm, results, score);
    if (verdict == LearnedVerdict::lessThanDense || verdict == LearnedVerdict::little) {
        sentence = withShareOfBest(std::move(sentence), gain, best);
    }
    return {.verdict = verdict,
            .gain = gain.mean,
            .halfWidth = gain.halfWidth,
            .text = gainText(verdict, gain, overDense.has_value()),
            .sentence = std::move(sentence),
            .run = runText(log, results, gain.count)};
}

bool areOfOneKind(const FfnSpec& one, const FfnSpec& other)
{
    const auto* composed = get_if<ComposedFfn>(&one);
    const auto* second = get_if<ComposedFfn>(&other);
    if (composed == nullptr || second == nullptr) {
        return one.index() == other.index();
    }
    return composed->mode == second->mode
        && std::ranges::equal(
               composed->stages, second->stages, [](const FfnStage& a, const FfnStage& b) {
                   return a.spec.index() == b.spec.index();
               });
}

void keepLast(std::vector<LoggedPoint>& points)
{
    points.erase(points.begin(), points.end() - std::min<std::ptrdiff_t>(1, std::ssize(points)));
}

void leaveCurveOut(LoggedRun& run)
{
    run.curves = {};
    run.parts.clear();
    keepLast(run.points);
    for (LoggedBranch& branch : run.branches) {
        branch.curves = {};
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
        const auto result = std::ranges::find_if(results.arms, [&](const ArmResult& each) {
            return claimed != arms.end() && learnAlike(each.arm.ffn, claimed->ffn);
        });
        found.push_back(result == results.arms.end() ? LearnedClaim{}
                                                     : learned(*result, log, results));
    }
    return found;
}

LearnedKinds::LearnedKinds(const LabLog& log)
{
    const LabResults results = labResults(log, log.plan.ownView());
    for (const Arm& arm : claimedArms(log.plan.sizes.dModel)) {
        const auto result = std::ranges::find_if(results.arms, [&arm](const ArmResult& each) {
            return learnAlike(each.arm.ffn, arm.ffn);
        });
        if (result != results.arms.end()) {
            m_kinds.emplace_back(arm.ffn, learned(*result, log, results));
        }
    }
}

LearnedClaim LearnedKinds::of(const FfnSpec& ffn) const
{
    const auto found = std::ranges::find_if(
        m_kinds, [&ffn](const auto& kind) { return areOfOneKind(kind.first, ffn); });
    return found == m_kinds.end() ? LearnedClaim{} : found->second;
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
