// SPDX-License-Identifier: MIT
#include "core/base/design_notes.h"
#include "core/base/text.h"
#include "core/claims/claim_parts.h"
#include "core/ffn/ffn_variants.h"
#include "core/model/model_cost.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace flopsmith {
namespace {

// A claim that an FFN costs so many times fewer FLOPs than the dense one.
struct SavingClaim
{
    std::string_view id;
    std::string_view title;
    std::string_view note;
    ClaimRange range;
    std::function<FfnSpec(const ClaimSizes&)> make;
    std::string_view knob; ///< the parameter that moves the saving; empty: d_model
    std::string says; ///< empty: worded from the range
};

double saving(const FfnSpec& ffn, const ClaimSizes& sizes)
{
    const Operation cheap = operationOf(ffn, sizes);
    const Count flops = priced(LensId::exact, costTree(cheap).total().count);
    return toDouble(denseSide(sizes).flops()) / toDouble(std::max(flops, Count{1}));
}

std::string spanText(std::string_view key, const std::vector<FieldValue>& values)
{
    const std::string first = valueText(values.front());
    const std::string last = valueText(values.back());
    return std::string(key) + " " + first + (first == last ? "" : " to " + last);
}

// The values of the parameter at which the claim holds: "poly_degree 3 to 9", or empty.
std::string whereByKnob(const SavingClaim& claim, const ClaimSizes& sizes)
{
    FfnSpec ffn = claim.make(sizes);
    for (const Field<FfnSpec>& field : fields(ffn)) {
        if (field.text.key != claim.knob) {
            continue;
        }
        std::vector<FieldValue> holding;
        for (const FieldValue& value : field.legal(ffn, {.dModel = sizes.dModel}).stops()) {
            field.assign(ffn, value);
            if (claim.range.contains(saving(ffn, sizes))) {
                holding.push_back(value);
            }
        }
        return holding.empty() ? "" : spanText(claim.knob, holding);
    }
    return {};
}

// Widths, with d_ff in proportion, at which it holds.
std::string whereByWidth(const SavingClaim& claim, const ClaimSizes& sizes)
{
    std::vector<FieldValue> holding;
    for (int d = 8; d <= 65'536; d *= 2) {
        const auto f = static_cast<int>(std::int64_t{sizes.dFf} * d / sizes.dModel);
        const ClaimSizes other{.dModel = d, .dFf = std::max(f, 8), .tokens = sizes.tokens};
        if (claim.range.contains(saving(claim.make(other), other))) {
            holding.emplace_back(std::int64_t{d});
        }
    }
    return holding.empty() ? "" : spanText("d_model", holding) + " with d_ff in proportion";
}

std::string remedy(const SavingClaim& claim, const ClaimSizes& sizes)
{
    std::string where = claim.knob.empty() ? "" : whereByKnob(claim, sizes);
    if (where.empty()) {
        where = whereByWidth(claim, sizes);
    }
    if (where.empty()) {
        return (claim.knob.empty() ? "No d_model brings it"
                                   : "No " + std::string(claim.knob) + " and no d_model brings it")
            + " to " + claim.range.text() + ".";
    }
    return claim.range.text() + " is reached at " + where + ".";
}

Claim counted(const SavingClaim& saved, const ClaimSizes& sizes)
{
    const FfnSpec ffn = saved.make(sizes);
    Claim claim{.id = std::string(saved.id),
                .title = std::string(saved.title),
                .note = std::string(saved.note),
                .says = saved.says.empty() ? saved.range.text() + " fewer FLOPs than the dense FFN"
                                           : saved.says,
                .range = saved.range,
                .component = info(ffn).component,
                .parameters = parameterText(ffn),
                .subject = sideOf(std::string(saved.title), operationOf(ffn, sizes)),
                .reference = denseSide(sizes)};
    claim.counted = claim.flopsRatio();
    if (claim.range.contains(claim.counted)) {
        claim.sentence = "Holds: " + timesText(claim.counted) + ".";
        return claim;
    }
    const bool more = claim.counted > claim.range.high;
    claim.verdict = more ? ClaimVerdict::exceeded : ClaimVerdict::fallsShort;
    claim.sentence = (more ? "Saves more: " : "Saves less: ") + timesText(claim.counted) + ". "
        + remedy(saved, sizes);
    return claim;
}

std::vector<SavingClaim> savings()
{
    return {
        {"spectral",
         "Spectral, all frequencies",
         kPerTokenNote,
         {3, 10},
         [](const ClaimSizes& s) -> FfnSpec {
             return SpectralFfn{.kFreq = SpectralFfn::bins(s.dModel),
                                .algorithm = SpectralAlgorithm::fft};
         },
         "k_freq",
         {}},
        {"spectral_top_k",
         "Spectral, top-k",
         kPerTokenAndSparseFfnNotes,
         {10, 20},
         [](const ClaimSizes& s) -> FfnSpec {
             return SpectralFfn{.kFreq = std::max(1, s.dModel / 64),
                                .selection = BinSelection::topK};
         },
         "k_freq",
         {}},
        {"polynomial",
         "Polynomial",
         kPerTokenAndSparseFfnNotes,
         {4, 8},
         [](const ClaimSizes&) -> FfnSpec { return PolynomialFfn{.keepRatio = 1.0}; },
         "poly_degree",
         {}},
        {"random_projection",
         "Sparse random projection",
         kPerTokenNote,
         {2, 5},
         [](const ClaimSizes& s) -> FfnSpec { return RandomProjectionFfn{.features = s.dFf}; },
         "density",
         {}},
        {"token_feedback",
         "Token feedback",
         kPerTokenAndSparseFfnNotes,
         {3, 5},
         [](const ClaimSizes& s) -> FfnSpec {
             return TokenFeedbackFfn{.rank = std::max(1, s.dModel / 32)};
         },
         "feedback_rank",
         {}},
        {"micro_refine",
         "Micro-refine",
         kSparseFfnNote,
         {3, 5},
         [](const ClaimSizes&) -> FfnSpec { return MicroRefineFfn{}; },
         "micro_steps",
         {}},
        {"kronecker",
         "Kronecker",
         kPerTokenAndSparseFfnNotes,
         {4, 10},
         [](const ClaimSizes& s) -> FfnSpec {
             return KroneckerFfn{.dFf = s.dFf,
                                 .d1 = nearRootDivisor(s.dModel),
                                 .f1 = nearRootDivisor(s.dFf),
                                 .rank = 4};
         },
         "rank",
         {}},
        {"ultra_efficient",
         "UltraEfficientFFN, four stages in sequence",
         kPerTokenNote,
         {20, std::numeric_limits<double>::infinity()},
         [](const ClaimSizes& s) -> FfnSpec { return ultraEfficientFfn(s.dModel, s.dFf); },
         {},
         {}},
        {"ultra_efficient_sparse",
         "UltraEfficientSparseFFN",
         kSparseFfnNote,
         {2, 5},
         [](const ClaimSizes&) -> FfnSpec { return ultraEfficientSparseFfn(); },
         {},
         "50" + std::string(kClaimDash) + "80 % fewer FLOPs in practice"},
    };
}

} // namespace

std::vector<Claim> savingClaims(const ClaimSizes& sizes)
{
    std::vector<Claim> all;
    for (const SavingClaim& claim : savings()) {
        all.push_back(counted(claim, sizes));
    }
    return all;
}

} // namespace flopsmith
