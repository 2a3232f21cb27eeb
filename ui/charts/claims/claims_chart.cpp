// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/claims/claims_chart.h"

#include "core/base/text.h"
#include "core/lab/results/learned_claims.h"

#include <algorithm>
#include <cmath>

namespace flopsmith::ui {
namespace {

constexpr qsizetype kCardCharacters = 76; ///< a line of running text in a card

// The quantity that a factor refers to: "the FLOPs", "fewer bytes".
QString quantityName(ClaimSense sense)
{
    switch (sense) {
    case ClaimSense::timesFewer: return Charts::tr("fewer FLOPs");
    case ClaimSense::timesAsMany: return Charts::tr("the FLOPs");
    case ClaimSense::fewerParameters: return Charts::tr("fewer parameters");
    case ClaimSense::fewerBytes: return Charts::tr("fewer bytes");
    case ClaimSense::shareOfPeak: return Charts::tr("of the peak");
    }
    return {};
}

QString joined(const QString& number, const QString& rest)
{
    return number + QLatin1Char(' ') + rest;
}

QString speedText(double speedUp)
{
    return joined(toQt(timesText(speedUp)),
                  speedUp >= 1.0 ? Charts::tr("faster") : Charts::tr("as fast"));
}

void addWrapped(Hotspot& hotspot, const QString& text)
{
    QString line;
    for (const QString& word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        if (!line.isEmpty() && line.size() + 1 + word.size() > kCardCharacters) {
            hotspot.lines.push_back({{}, line, {}});
            line.clear();
        }
        line += (line.isEmpty() ? QString() : QStringLiteral(" ")) + word;
    }
    if (!line.isEmpty()) {
        hotspot.lines.push_back({{}, line, {}});
    }
}

QString ratiosText(const Claim& claim)
{
    const auto ratio = [](double value, const QString& name) {
        return std::isfinite(value) ? joined(toQt(timesText(value)), name)
                                    : Charts::tr("no %1").arg(name);
    };
    return QStringList{ratio(claim.flopsRatio(), Charts::tr("FLOPs")),
                       ratio(claim.parameterRatio(), Charts::tr("parameters")),
                       ratio(claim.bytesRatio(), Charts::tr("bytes"))}
        .join(QStringLiteral(" \u00B7 "));
}

} // namespace

MeasuredClaim ClaimsChart::measuredOf(std::size_t index) const
{
    return index < measured.size() ? measured[index] : MeasuredClaim{};
}

LearnedClaim ClaimsChart::learnedOf(std::size_t index) const
{
    return index < learned.size() ? learned[index] : LearnedClaim{};
}

QString ClaimsChart::learnedNote() const
{
    const auto found =
        std::ranges::find_if(learned, [](const LearnedClaim& each) { return !each.run.empty(); });
    return found == learned.end()
        ? QString()
        : Charts::tr("learns? %1; gain over no FFN").arg(toQt(found->run));
}

bool ClaimsChart::isLearned() const
{
    return std::any_of(learned.begin(), learned.end(), [](const LearnedClaim& each) {
        return each.verdict != LearnedVerdict::notTried;
    });
}

bool isMeasured(const std::vector<MeasuredClaim>& claims)
{
    return std::any_of(claims.begin(), claims.end(), [](const MeasuredClaim& each) {
        return each.quantity || each.speedUp;
    });
}

ClaimsChart countedChart(const ClaimSizes& sizes, const LabLog* lab)
{
    ClaimsChart chart{.sizes = sizes, .claims = claims(sizes)};
    chart.learned = learnedClaims(chart.claims, lab != nullptr ? *lab : shippedClaimsLog());
    return chart;
}

bool isSaving(const Claim& claim)
{
    return claim.sense == ClaimSense::timesFewer;
}

QString countedText(const Claim& claim)
{
    if (!std::isfinite(claim.counted)) {
        return {};
    }
    const QString times = toQt(timesText(claim.counted));
    return isSaving(claim) ? times : joined(times, quantityName(claim.sense));
}

QString measuredText(const Claim& claim, const MeasuredClaim& measured)
{
    if (claim.sense == ClaimSense::shareOfPeak) {
        return measured.quantity
            ? joined(toQt(percentText(*measured.quantity)), quantityName(claim.sense))
            : QString();
    }
    if (claim.sense == ClaimSense::timesAsMany && measured.quantity) {
        return joined(toQt(timesText(*measured.quantity)), Charts::tr("the time"));
    }
    return measured.speedUp ? speedText(*measured.speedUp) : QString();
}

QString measuredMarkText(const Claim& claim, const MeasuredClaim& measured)
{
    return isSaving(claim) && measured.quantity ? toQt(timesText(*measured.quantity))
                                                : measuredText(claim, measured);
}

QString claimedText(const Claim& claim)
{
    return joined(toQt(claim.range.text()), quantityName(claim.sense));
}

QString verdictText(const Claim& claim, const MeasuredClaim& measured)
{
    const bool saves = isSaving(claim) || claim.sense == ClaimSense::fewerParameters
        || claim.sense == ClaimSense::fewerBytes;
    ClaimVerdict verdict = claim.verdict;
    if (verdict == ClaimVerdict::onlyMeasured && measured.quantity) {
        verdict = claim.range.contains(*measured.quantity) ? ClaimVerdict::holds
            : *measured.quantity > claim.range.high        ? ClaimVerdict::exceeded
                                                           : ClaimVerdict::fallsShort;
    }
    switch (verdict) {
    case ClaimVerdict::holds: return Charts::tr("holds");
    case ClaimVerdict::exceeded: return saves ? Charts::tr("saves more") : Charts::tr("is more");
    case ClaimVerdict::fallsShort: return saves ? Charts::tr("saves less") : Charts::tr("is less");
    case ClaimVerdict::onlyMeasured: return Charts::tr("not measured");
    }
    return {};
}

Hotspot claimHotspot(const Claim& claim, const MeasuredClaim& measured, const LearnedClaim& learned)
{
    Hotspot hotspot{.title = toQt(claim.title)};
    const auto add = [&hotspot](const QString& label, const QString& value) {
        if (!value.isEmpty()) {
            hotspot.lines.push_back({{}, label, value});
        }
    };
    addWrapped(hotspot, toQt(claim.says));
    addWrapped(hotspot, toQt(claim.sentence));
    add(Charts::tr("claimed"), claimedText(claim));
    add(Charts::tr("counted"),
        isSaving(claim) ? joined(countedText(claim), quantityName(claim.sense))
                        : countedText(claim));
    add(Charts::tr("measured"), measuredText(claim, measured));
    if (claim.sense != ClaimSense::shareOfPeak) {
        add(Charts::tr("saved against the %1").arg(toQt(claim.reference.name)), ratiosText(claim));
    }
    add(Charts::tr("learns?"), toQt(learned.text));
    if (!learned.run.empty()) {
        addWrapped(hotspot, toQt(learned.sentence));
        addWrapped(hotspot, toQt("Trained on " + learned.run));
    }
    addWrapped(hotspot, toQt("Settings: " + claim.parameters));
    addWrapped(hotspot, toQt("Claimed in: " + claim.note));
    return hotspot;
}

QString sizesText(const ClaimSizes& sizes)
{
    return Charts::tr("d_model %1, d_ff %2, %3 tokens, float32")
        .arg(sizes.dModel)
        .arg(sizes.dFf)
        .arg(sizes.tokens);
}

} // namespace flopsmith::ui
