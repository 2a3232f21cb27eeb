// SPDX-License-Identifier: MIT
#include "core/claims/claims.h"

#include "core/base/text.h"
#include "core/count/lens.h"
#include "core/model/model_cost.h"

#include <cmath>
#include <limits>

namespace flopsmith {
namespace {

double ratio(const Count& above, const Count& below)
{
    if (below == 0) {
        return above == 0 ? 1.0 : std::numeric_limits<double>::infinity();
    }
    return toDouble(above) / toDouble(below);
}

double secondsOf(const ClaimSide& side,
                 const std::vector<MeasuredPart>& parts,
                 const std::vector<double>& seconds)
{
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (side.operation && parts[i].operation == *side.operation) {
            return seconds.at(i);
        }
    }
    return 0.0;
}

Status inRange(std::string_view name, int value, const ClaimSizeRange& legal)
{
    if (value >= legal.low && value <= legal.high) {
        return Done{};
    }
    return Error{std::string(name) + " " + std::to_string(value) + ": must be "
                 + std::to_string(legal.low) + " to " + std::to_string(legal.high)};
}

} // namespace

Count ClaimSide::flops() const
{
    return priced(LensId::exact, cost.count);
}

Count ClaimSide::bytes() const
{
    return flopsmith::bytes(cost.traffic, Precision{}).total()
        + cost.traffic.gradients * Precision{}.weightBits / 8;
}

std::string_view claimVerdictName(ClaimVerdict verdict)
{
    switch (verdict) {
    case ClaimVerdict::holds: return "holds";
    case ClaimVerdict::exceeded: return "exceeded";
    case ClaimVerdict::fallsShort: return "falls_short";
    case ClaimVerdict::onlyMeasured: return "only_measured";
    }
    return {};
}

std::string ClaimRange::text() const
{
    const std::string times = "\xC3\x97";
    if (high < 1) {
        return numberText(100 * low) + "\xE2\x80\x93" + numberText(100 * high) + " %";
    }
    if (std::isinf(high)) {
        return "> " + numberText(low) + times;
    }
    return (low == high ? "" : numberText(low) + "\xE2\x80\x93") + numberText(high) + times;
}

bool ClaimRange::contains(double value) const
{
    constexpr double kAbout = 0.05; // a claim of one number is meant roughly
    const double slack = low == high ? kAbout * low : 0.0;
    return value >= low - slack && value <= high + slack;
}

double Claim::flopsRatio() const
{
    return ratio(reference.flops(), subject.flops());
}

double Claim::parameterRatio() const
{
    return ratio(reference.cost.parameters.trainable, subject.cost.parameters.trainable);
}

double Claim::bytesRatio() const
{
    return ratio(reference.bytes(), subject.bytes());
}

Status validated(const ClaimSizes& sizes)
{
    for (const Status& status : {inRange("d", sizes.dModel, kClaimDModels),
                                 inRange("d-ff", sizes.dFf, kClaimDFfs),
                                 inRange("tokens", sizes.tokens, kClaimTokens)}) {
        if (!status) {
            return status;
        }
    }
    return Done{};
}

std::vector<MeasuredPart> measuredParts(const std::vector<Claim>& all)
{
    std::vector<MeasuredPart> parts;
    const auto add = [&parts](const Claim& claim, const ClaimSide& side) {
        if (!side.operation) {
            return;
        }
        for (const MeasuredPart& part : parts) {
            if (part.operation == *side.operation) {
                return;
            }
        }
        parts.push_back({.path = "claims/" + claim.id,
                         .title = side.name,
                         .component = claim.component,
                         .operation = *side.operation});
    };
    for (const Claim& claim : all) {
        add(claim, claim.reference);
        add(claim, claim.subject);
    }
    return parts;
}

MeasuredClaim measured(const Claim& claim,
                       const std::vector<MeasuredPart>& parts,
                       const std::vector<double>& seconds,
                       double peakFlopsPerSecond)
{
    const double reference = secondsOf(claim.reference, parts, seconds);
    const double subject = secondsOf(claim.subject, parts, seconds);
    MeasuredClaim found;
    if (claim.sense == ClaimSense::shareOfPeak) {
        if (subject > 0 && peakFlopsPerSecond > 0) {
            found.quantity = toDouble(claim.subject.flops()) / subject / peakFlopsPerSecond;
        }
        return found;
    }
    if (reference > 0 && subject > 0) {
        found.speedUp = reference / subject;
    }
    if (found.speedUp && claim.sense == ClaimSense::timesFewer) {
        found.quantity = found.speedUp;
    } else if (found.speedUp && claim.sense == ClaimSense::timesAsMany) {
        found.quantity = 1.0 / *found.speedUp;
    }
    return found;
}

std::string timesText(double times)
{
    if (!std::isfinite(times)) {
        return "\xE2\x80\x93";
    }
    if (times >= 100) {
        return groupedDigits(static_cast<Count>(std::llround(times))) + "\xC3\x97";
    }
    const double unit = times >= 10 ? 10.0 : 100.0;
    std::string text = numberText(std::round(times * unit) / unit);
    if (text.find('.') == std::string::npos && times < 10) {
        text += ".0";
    }
    return text + "\xC3\x97";
}

} // namespace flopsmith
