// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/claims/claims.h"
#include "ui/charts/base/figure.h"

namespace flopsmith {
struct LabLog;
}

namespace flopsmith::ui {

/// Whether a device measured any of them.
bool isMeasured(const std::vector<MeasuredClaim>& claims);

/// The content of a claims figure: all claims at some sizes, and their measured results.
struct ClaimsChart
{
    ClaimSizes sizes{};
    std::vector<Claim> claims{};
    std::vector<MeasuredClaim>
        measured{}; ///< parallel to the claims; empty if nothing was measured
    std::vector<LearnedClaim> learned{}; ///< parallel to the claims; empty if no lab is shown

    const Claim& claim(std::size_t index) const { return claims[index]; }
    MeasuredClaim measuredOf(std::size_t index) const;
    LearnedClaim learnedOf(std::size_t index) const;
    bool isLearned() const;

    /// The source of learned results: "learns? facts, d_model 64, … : gain over no FFN", or empty.
    QString learnedNote() const;

    bool isMeasured() const { return ui::isMeasured(measured); }
};

/// With the results of that log, or without one of the program's own.
ClaimsChart countedChart(const ClaimSizes& sizes, const LabLog* lab = nullptr);

/// Whether it claims a factor of fewer FLOPs than the dense FFN: those claims share one axis.
bool isSaving(const Claim& claim);

/// "11.8×" for a saving, otherwise with its quantity: "1.50× the FLOPs"; empty if it needs a
/// measurement.
QString countedText(const Claim& claim);

/// "6.10× faster", "1.62× the time", "57 % of the peak"; empty if nothing was measured.
QString measuredText(const Claim& claim, const MeasuredClaim& measured);

/// The same in the figure, whose axis names the quantity of the savings: "6.10×".
QString measuredMarkText(const Claim& claim, const MeasuredClaim& measured);

/// The claimed value of the quantity: "3–10× fewer FLOPs", "40–60 % of the peak".
QString claimedText(const Claim& claim);

/// "holds", "saves more", "saves less"; for other quantities "is more", "is less". A claim that
/// needs a measurement is judged by it, otherwise "not measured".
QString verdictText(const Claim& claim, const MeasuredClaim& measured);

/// All facts about a claim; the caller sets its place.
Hotspot claimHotspot(const Claim& claim,
                     const MeasuredClaim& measured,
                     const LearnedClaim& learned = {});

/// "d_model 4096, d_ff 16384, 512 tokens, float32".
QString sizesText(const ClaimSizes& sizes);

} // namespace flopsmith::ui
