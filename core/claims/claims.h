// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/operation.h"

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The promises of design notes (base/design_notes.h) for each feed-forward network, compared with
// counted and, if a device is available, measured figures.
namespace flopsmith {

/// Legal sizes, both ends included.
struct ClaimSizeRange
{
    int low = 1;
    int high = 1;
};
inline constexpr ClaimSizeRange kClaimDModels{8, 65'536};
inline constexpr ClaimSizeRange kClaimDFfs{8, 1'048'576};
inline constexpr ClaimSizeRange kClaimTokens{1, 1'048'576};

/// The sizes at which claims are compared. The defaults are the notes': d_model 4096, d_ff
/// 4·d_model.
struct ClaimSizes
{
    int dModel = 4096;
    int dFf = 16384;
    int tokens = 512; ///< one sequence

    bool operator==(const ClaimSizes&) const = default;
};

/// One side of a comparison.
struct ClaimSide
{
    std::string name; ///< "dense FFN, d_ff 16384"
    Cost<Count> cost; ///< exact, of one use
    std::optional<Operation> operation; ///< to be measured; empty if nothing new is executed

    Count flops() const;
    Count bytes() const; ///< read and written by unfused operations in float32
};

/// The quantity that a claim is about.
enum class ClaimSense {
    timesFewer, ///< FLOPs of the reference over FLOPs of the subject
    timesAsMany, ///< FLOPs of the subject over FLOPs of the reference
    fewerParameters, ///< trainable parameters of the reference over the subject's
    fewerBytes, ///< bytes moved by the reference over the subject's
    shareOfPeak, ///< the subject's FLOP/s over the machine's peak: needs a measurement
};

enum class ClaimVerdict {
    holds,
    exceeded, ///< more is saved than was claimed
    fallsShort,
    onlyMeasured, ///< counting does not decide it
};

std::string_view claimVerdictName(ClaimVerdict verdict);

/// A claimed interval; `high` is infinite for "more than".
struct ClaimRange
{
    double low = 1;
    double high = std::numeric_limits<double>::infinity();

    /// A claim of one number (low = high) is meant roughly: within 5 %.
    bool contains(double value) const;
    std::string text() const; ///< "3–10×", "> 20×", "2×"; of shares "40–60 %"
};

/// One claim, counted.
struct Claim
{
    std::string id; ///< "spectral"
    std::string title; ///< "Spectral FFN, all frequencies"
    std::string note; ///< the source: the titles of the notes
    std::string says; ///< in our words: "3–10× fewer FLOPs than the dense FFN"
    ClaimSense sense = ClaimSense::timesFewer;
    ClaimRange range;
    const Component* component = nullptr;
    std::string parameters; ///< "k_freq 2049, selection low_pass, algorithm fft"
    ClaimSide subject;
    ClaimSide reference;
    double counted = 0; ///< the claim's own quantity; NaN if it needs a measurement
    ClaimVerdict verdict = ClaimVerdict::holds;
    /// In a sentence: whether it holds, and if not, at which parameters it would.
    std::string sentence;

    double flopsRatio() const; ///< reference over subject
    double parameterRatio() const; ///< the same; infinite if the subject has none
    double bytesRatio() const;
};

/// All claims at these sizes, in the order of the notes.
std::vector<Claim> claims(const ClaimSizes& sizes);

/// An Error that says in one sentence what is wrong with typed sizes.
Status validated(const ClaimSizes& sizes);

/// Everything to measure for the claims, equal operations once.
std::vector<MeasuredPart> measuredParts(const std::vector<Claim>& all);

/// The measured result of a claim.
struct MeasuredClaim
{
    std::optional<double> speedUp{}; ///< how many times as fast as the reference the subject is
    /// The claim's own quantity, where a time determines it: the speed-up, for `timesAsMany` its
    /// inverse, for `shareOfPeak` the rate over the peak.
    std::optional<double> quantity{};

    bool operator==(const MeasuredClaim&) const = default;
};

/// Whether the savings of a claim's FFN cost quality: trained against no FFN, with the same seeds.
enum class LearnedVerdict {
    notTried,
    better, ///< than no FFN: the interval of the difference excludes 0
    lessThanDense, ///< better than no FFN, but worse than a dense FFN made just as cheap
    /// Better than no FFN, but by less than a tenth of the lab's best FFN, and no better than a
    /// dense FFN of the same cost.
    little,
    alike, ///< not distinguishable from no FFN
    worse,
};

/// A lab's result (core/lab) for a claim's FFN. The texts are empty if it was not tried.
struct LearnedClaim
{
    LearnedVerdict verdict = LearnedVerdict::notTried;
    double gain = 0; ///< over no FFN, in the score of the lab's task; negative: worse
    double halfWidth = 0; ///< of the 95 % interval of the gain
    std::string text{}; ///< "yes, +0.174 ± 0.027", "no more than no FFN", "no, −0.070 ± 0.028"
    /// Compares with the dense FFN of the same cost, and if the verdict is less or little, with the
    /// lab's best FFN.
    std::string sentence{};
    std::string run{}; ///< "text, d_model 64, 500 steps, 5 seeds"

    bool operator==(const LearnedClaim&) const = default;
};

/// `seconds` is parallel to `parts`, 0 without a measurement; a peak of 0 is unknown.
MeasuredClaim measured(const Claim& claim,
                       const std::vector<MeasuredPart>& parts,
                       const std::vector<double>& seconds,
                       double peakFlopsPerSecond);

/// A ratio as a text: "1.50×", "13.7×", "1 041×"; "–" if it is not finite.
std::string timesText(double times);

} // namespace flopsmith
