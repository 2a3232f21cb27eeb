// SPDX-License-Identifier: MIT
#include "core/lab/results/verdict.h"

#include "core/base/text.h"

#include <cmath>

namespace flopsmith {
namespace {

constexpr const char* kPlusMinus = " \xC2\xB1 ";
constexpr const char* kMinus = "\xE2\x88\x92";
constexpr const char* kDash = "\xE2\x80\x93";
constexpr int kDigits = 3;

std::string signedText(double value)
{
    const std::string text = fixedText(std::abs(value), kDigits);
    const bool isZero = text.find_first_not_of("0.") == std::string::npos;
    return (value < 0.0 && !isZero ? kMinus : "+") + text;
}

std::string divergedText(const ArmResult& arm)
{
    return arm.arm.name + " diverged on " + seedsText(arm.diverged) + ", left out here";
}

// Against one other arm; empty if there is none of that name.
std::string against(const ArmResult& arm,
                    const LabResults& results,
                    const std::string& name,
                    const std::string& shown,
                    Score score)
{
    const ArmResult* other = results.arm(name);
    if (other == nullptr || other == &arm) {
        return {};
    }
    const std::string text = comparisonText(comparedScores(arm, *other, score), shown);
    return other->diverged > 0 ? text + " (" + divergedText(*other) + ")" : text;
}

} // namespace

namespace {

// "dense stops after 3 % of its steps": of the arm that is cut first; empty without one.
std::string firstCutText(const LabResults& results)
{
    const ArmResult* first = nullptr;
    for (const ArmResult& arm : results.arms) {
        const bool isCut = !arm.points.empty() && arm.shareOfSteps < 1.0;
        if (isCut && (first == nullptr || arm.shareOfSteps < first->shareOfSteps)) {
            first = &arm;
        }
    }
    return first == nullptr ? std::string()
                            : "; " + first->arm.name + " stops after "
            + percentText(first->shareOfSteps) + " of its steps";
}

// Against no FFN and against the dense FFN of the same cost.
int comparisonsOf(const ArmResult& arm, const LabResults& results, Score score)
{
    int known = 0;
    for (const std::string& name : {std::string(kNoFfnArm), arm.arm.rival}) {
        const ArmResult* other = results.arm(name);
        known += other != nullptr && other != &arm && comparedScores(arm, *other, score).isKnown();
    }
    return known;
}

} // namespace

ArmComparison comparedScores(const ArmResult& arm, const ArmResult& other, Score score)
{
    std::vector<double> own;
    std::vector<double> others;
    for (const auto& each : arm.points) {
        const auto same = other.points.find(each.first);
        if (same != other.points.end()) {
            own.push_back(each.second.score);
            others.push_back(same->second.score);
        }
    }
    return {.gain = isMoreBetter(score) ? pairedDifference(own, others)
                                        : pairedDifference(others, own)};
}

std::string comparisonText(const ArmComparison& comparison, const std::string& other)
{
    const MeanInterval& gain = comparison.gain.interval;
    if (!comparison.isKnown()) {
        return "not compared with " + other + ": " + seedsText(gain.count)
            + " in common, and an interval needs two";
    }
    const std::string width = kPlusMinus + fixedText(gain.halfWidth, kDigits);
    if (!gain.excludesZero()) {
        return "not distinguishable from " + other + " (" + signedText(gain.mean) + width + ", "
            + seedsText(gain.count) + ")";
    }
    const bool better = gain.mean > 0.0;
    const int agreeing = better ? comparison.gain.positive : comparison.gain.negative;
    return (better ? "better than " : "worse than ") + other + " by "
        + fixedText(std::abs(gain.mean), kDigits) + width + " (" + std::to_string(agreeing) + " of "
        + seedsText(gain.count) + ")";
}

std::string armVerdict(const ArmResult& arm, const LabResults& results, Score score)
{
    const std::string begin = arm.arm.name + ": ";
    if (arm.gaveUp) {
        return begin + "diverged at every learning rate.";
    }
    if (arm.points.empty()) {
        return arm.diverged > 0
            ? begin + "diverged on " + seedsText(arm.diverged) + ", and no other is finished."
            : begin + "no seed is finished yet.";
    }
    std::string text = begin + against(arm, results, std::string(kNoFfnArm), "no FFN", score);
    if (!arm.arm.rival.empty()) {
        const std::string shown = "the FLOP-matched " + arm.arm.rival;
        text += "; " + against(arm, results, arm.arm.rival, shown, score);
    }
    if (arm.shareOfSteps < 1.0) {
        text += "; cut after " + percentText(arm.shareOfSteps) + " of its steps";
    }
    if (arm.diverged > 0) {
        text += "; " + divergedText(arm);
    }
    return text + ".";
}

std::vector<std::string> verdicts(const LabLog& log, LabView view)
{
    const LabResults results = labResults(log, view);
    std::vector<std::string> sentences;
    for (const ArmResult& arm : results.arms) {
        if (arm.arm.role == ArmRole::chosen) {
            sentences.push_back(armVerdict(arm, results, info(log.plan.task).score));
        }
    }
    return sentences;
}

std::string viewText(const LabLog& log, const LabResults& results)
{
    const std::string score = std::string(scoreName(info(log.plan.task).score));
    std::string text = score + " at equal " + std::string(viewName(results.view));
    if (!results.budget) {
        return text + ": no run is finished yet.";
    }
    if (results.view == LabView::steps) {
        text += " (" + std::to_string(static_cast<std::int64_t>(*results.budget)) + ")";
    } else if (results.view == LabView::flops) {
        text += " (" + siText(*results.budget) + "FLOP)";
    } else {
        text += " (" + durationText(*results.budget) + " on " + log.machine + ")";
    }
    if (!results.isEnd) {
        const bool isCosine = settingsOf(log.plan, 0.0, 1).schedule.decay == Decay::cosine;
        const std::string cut = firstCutText(results);
        return text
            + (isCosine
                   ? ": cuts through runs whose learning rate falls all along" + cut
                       + "; --views lets each run cool down for this view."
                   : ": cuts through runs of other lengths, before they cool down" + cut + ".");
    }
    return text
        + (results.view == log.plan.ownView() ? ", at the ends of the runs."
                                              : ", where each run cools down for this view.");
}

std::string limitsText(const LabLog& log, const LabResults& results)
{
    int comparisons = 0;
    for (const ArmResult& arm : results.arms) {
        if (arm.arm.role == ArmRole::chosen) {
            comparisons += comparisonsOf(arm, results, info(log.plan.task).score);
        }
    }
    const std::string width = "All of it at d_model " + std::to_string(log.plan.sizes.dModel)
        + "; other widths may say otherwise.";
    if (comparisons == 0) {
        return width;
    }
    return width + " " + std::to_string(comparisons)
        + (comparisons == 1 ? " comparison" : " comparisons, not corrected for their number")
        + "; at 95\xC2\xA0%, one in twenty names a difference where there is none.";
}

std::string verdictText(const LabLog& log, LabView view)
{
    const LabResults results = labResults(log, view);
    std::string text = viewText(log, results) + "\n";
    for (const std::string& sentence : verdicts(log, view)) {
        text += sentence + "\n";
    }
    return text + limitsText(log, results) + "\n";
}

std::string seedsText(int seeds)
{
    return std::to_string(seeds) + (seeds == 1 ? " seed" : " seeds");
}

std::string intervalText(const MeanInterval& interval, int digits)
{
    if (interval.count == 0) {
        return kDash;
    }
    const std::string mean = fixedText(interval.mean, digits);
    return interval.count < 2 ? mean : mean + kPlusMinus + fixedText(interval.halfWidth, digits);
}

} // namespace flopsmith
