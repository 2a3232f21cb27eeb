// SPDX-License-Identifier: MIT
#include "core/base/text.h"
#include "core/model/model_cost.h"
#include "core/study/claims.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

// The claims of the founding notes, one by one.
namespace flopsmith {
namespace {

const std::string kDash = "\xE2\x80\x93";
const std::string kTimes = "\xC3\x97";

Operation operationOf(decltype(Operation::what) what, const ClaimSizes& sizes)
{
    return {.what = std::move(what),
            .dModel = sizes.dModel,
            .batch = 1,
            .sequence = sizes.tokens,
            .context = sizes.tokens};
}

ClaimSide sideOf(std::string name, const Operation& operation)
{
    return {std::move(name), costTree(operation).total(), operation};
}

DenseFfn denseOf(const ClaimSizes& sizes)
{
    return {.dFf = sizes.dFf};
}

ClaimSide denseSide(const ClaimSizes& sizes)
{
    return sideOf("dense FFN", operationOf(FfnSpec(denseOf(sizes)), sizes));
}

// Its numbers, and how it selects: what decides the cost.
std::string parameterText(const FfnSpec& ffn)
{
    std::string text;
    for (const Field<FfnSpec>& field : fields(ffn)) {
        const FieldValue value = field.value(ffn);
        const bool number =
            std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
        const bool seed = field.text.key.find("seed") != std::string_view::npos;
        const bool choice = field.text.key == "selection" || field.text.key == "algorithm";
        if (field.applies(ffn) && ((number && !seed) || choice) && field.text.key != "dropout") {
            text +=
                (text.empty() ? "" : ", ") + std::string(field.text.key) + " " + valueText(value);
        }
    }
    if (const auto* composed = std::get_if<ComposedFfn>(&ffn)) {
        for (const FfnStage& stage : composed->stages) {
            text += (text.empty() ? "" : "; ") + parameterText(stage.spec);
        }
    }
    return text;
}

// A claim that an FFN costs so many times fewer FLOPs than the dense one.
struct SavingClaim
{
    std::string_view id;
    std::string_view title;
    std::string_view note;
    ClaimRange range;
    std::function<FfnSpec(const ClaimSizes&)> make;
    std::string_view knob; ///< the parameter that moves the saving; empty: d_model
    std::string says; ///< empty: as the range says
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

// Values of the knob at which the claim holds: "poly_degree 3 to 9", or nothing.
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

std::vector<SavingClaim> savingClaims()
{
    return {
        {"spectral",
         "Spectral, all frequencies",
         "000",
         {3, 10},
         [](const ClaimSizes& s) -> FfnSpec {
             return SpectralFfn{.kFreq = SpectralFfn::bins(s.dModel),
                                .algorithm = SpectralAlgorithm::fft};
         },
         "k_freq",
         {}},
        {"spectral_top_k",
         "Spectral, top-k",
         "000, 001",
         {10, 20},
         [](const ClaimSizes& s) -> FfnSpec {
             return SpectralFfn{.kFreq = std::max(1, s.dModel / 64),
                                .selection = BinSelection::topK};
         },
         "k_freq",
         {}},
        {"polynomial",
         "Polynomial",
         "000, 001",
         {4, 8},
         [](const ClaimSizes&) -> FfnSpec { return PolynomialFfn{.keepRatio = 1.0}; },
         "poly_degree",
         {}},
        {"random_projection",
         "Sparse random projection",
         "000",
         {2, 5},
         [](const ClaimSizes& s) -> FfnSpec { return RandomProjectionFfn{.features = s.dFf}; },
         "density",
         {}},
        {"token_feedback",
         "Token feedback",
         "000, 001",
         {3, 5},
         [](const ClaimSizes& s) -> FfnSpec {
             return TokenFeedbackFfn{.rank = std::max(1, s.dModel / 32)};
         },
         "feedback_rank",
         {}},
        {"micro_refine",
         "Micro-refine",
         "001",
         {3, 5},
         [](const ClaimSizes&) -> FfnSpec { return MicroRefineFfn{}; },
         "micro_steps",
         {}},
        {"kronecker",
         "Kronecker",
         "000, 001",
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
         "000",
         {20, std::numeric_limits<double>::infinity()},
         [](const ClaimSizes& s) -> FfnSpec { return ultraEfficientFfn(s.dModel, s.dFf); },
         {},
         {}},
        {"ultra_efficient_sparse",
         "UltraEfficientSparseFFN",
         "001",
         {2, 5},
         [](const ClaimSizes&) -> FfnSpec { return ultraEfficientSparseFfn(); },
         {},
         "50" + kDash + "80 % fewer FLOPs in practice"},
    };
}

// A claim about another ratio of two things that both exist.
Claim comparison(Claim claim)
{
    switch (claim.sense) {
    case ClaimSense::timesFewer: claim.counted = claim.flopsRatio(); break;
    case ClaimSense::timesAsMany: claim.counted = 1.0 / claim.flopsRatio(); break;
    case ClaimSense::fewerParameters: claim.counted = claim.parameterRatio(); break;
    case ClaimSense::fewerBytes: claim.counted = claim.bytesRatio(); break;
    case ClaimSense::shareOfPeak: break;
    }
    if (claim.range.contains(claim.counted)) {
        claim.sentence = "Holds: " + timesText(claim.counted) + ". " + claim.sentence;
    } else {
        claim.verdict =
            claim.counted > claim.range.high ? ClaimVerdict::exceeded : ClaimVerdict::fallsShort;
        claim.sentence = "It is " + timesText(claim.counted) + ". " + claim.sentence;
    }
    return claim;
}

Claim gatedClaim(const ClaimSizes& sizes)
{
    const FfnSpec gated = GatedFfn{.dFf = sizes.dFf};
    return comparison({.id = "swiglu",
                       .title = "SwiGLU",
                       .note = "003",
                       .says = "1.5" + kTimes + " the FLOPs of a dense FFN of the same d_ff",
                       .sense = ClaimSense::timesAsMany,
                       .range = {1.5, 1.5},
                       .component = info(gated).component,
                       .parameters = parameterText(gated),
                       .subject = sideOf("SwiGLU", operationOf(gated, sizes)),
                       .reference = denseSide(sizes),
                       .sentence = "Three matrices instead of two; a preset's d_ff is therefore "
                                   "two thirds."});
}

FfnSpec experts(const ClaimSizes& sizes, int count, int perToken)
{
    return MoeFfn{.experts = count,
                  .perToken = perToken,
                  .expert = ExpertKind::dense,
                  .dFf = std::max(1, sizes.dFf / 8),
                  .activation = Activation::geluTanh,
                  .bias = true};
}

Claim expertsClaim(const ClaimSizes& sizes, int fewer, int more, int perToken)
{
    const auto named = [&](int count) {
        return sideOf(std::to_string(count) + " experts, " + std::to_string(perToken)
                          + " per token",
                      operationOf(experts(sizes, count, perToken), sizes));
    };
    const FfnSpec subject = experts(sizes, more, perToken);
    return comparison({.id = "moe_experts",
                       .title = "Mixture of experts: more experts",
                       .note = "003",
                       .says = "FLOPs do not grow with the number of experts",
                       .sense = ClaimSense::timesAsMany,
                       .range = {1, 1},
                       .component = info(subject).component,
                       .parameters = parameterText(subject),
                       .subject = named(more),
                       .reference = named(fewer),
                       .sentence = "Only the router grows; the parameters do in full."});
}

Claim chosenExpertsClaim(const ClaimSizes& sizes)
{
    const FfnSpec subject = experts(sizes, 8, 4);
    return comparison(
        {.id = "moe_per_token",
         .title = "Mixture of experts: more per token",
         .note = "003",
         .says = "FLOPs grow with the experts per token",
         .sense = ClaimSense::timesAsMany,
         .range = {2, 2},
         .component = info(subject).component,
         .parameters = parameterText(subject),
         .subject = sideOf("8 experts, 4 per token", operationOf(subject, sizes)),
         .reference = sideOf("8 experts, 2 per token", operationOf(experts(sizes, 8, 2), sizes)),
         .sentence = "Twice the experts per token, twice the work."});
}

// Twelve blocks with parameters of their own, and with shared ones.
ClaimSide stack(const ClaimSizes& sizes, int shareGroup, std::string name)
{
    Block block;
    block.mixer = NoMixer{};
    block.ffn = denseOf(sizes);
    block.shareGroup = shareGroup;
    Scenario scenario;
    scenario.model.dModel = sizes.dModel;
    scenario.model.runs = {{block, 12}};
    scenario.workload.sequence = sizes.tokens;
    const CostTree<Count> tree = costTree(scenario);
    Cost<Count> cost;
    for (int i = 1; i < tree.size(); i = tree.node(i).end) {
        if (tree.node(i).name == "blocks" || tree.node(i).name == "shared_parameters") {
            cost += tree.node(i).repeat * tree.total(i);
        }
    }
    return {std::move(name), cost, std::nullopt};
}

Claim sharingClaim(const ClaimSizes& sizes)
{
    return comparison({.id = "sharing",
                       .title = "Cross-layer sharing",
                       .note = "003",
                       .says = "saves parameters, not FLOPs",
                       .sense = ClaimSense::fewerParameters,
                       .range = {12, 12},
                       .component = info(FfnSpec(DenseFfn{})).component,
                       .parameters = "12 blocks with a dense FFN, one set of parameters",
                       .subject = stack(sizes, 1, "12 blocks, shared"),
                       .reference = stack(sizes, 0, "12 blocks, their own"),
                       .sentence = "The FLOPs are equal."});
}

Claim backwardClaim(const ClaimSizes& sizes)
{
    Operation backward = operationOf(FfnSpec(denseOf(sizes)), sizes);
    backward.pass = ComputePass::backward;
    return comparison({.id = "backward",
                       .title = "Backward pass",
                       .note = "002",
                       .says = "2" + kTimes + " the FLOPs of the forward pass",
                       .sense = ClaimSense::timesAsMany,
                       .range = {2, 2},
                       .component = info(FfnSpec(DenseFfn{})).component,
                       .parameters = parameterText(denseOf(sizes)),
                       .subject = sideOf("dense FFN, backward", backward),
                       .reference = denseSide(sizes),
                       .sentence = "Two products for each of the forward pass."});
}

Claim flashClaim(const ClaimSizes& sizes)
{
    const auto attention = [&](AttentionAlgorithm algorithm) {
        const int heads = std::max(1, sizes.dModel / 64);
        Attention mixer{.heads = heads, .kvHeads = heads, .headDim = 64};
        mixer.algorithm = algorithm;
        return operationOf(MixerSpec(mixer), sizes);
    };
    return comparison(
        {.id = "flash",
         .title = "Flash attention",
         .note = "002",
         .says = "the same FLOPs, less memory traffic",
         .sense = ClaimSense::fewerBytes,
         .range = {1, std::numeric_limits<double>::infinity()},
         .component = Attention::info().component,
         .parameters = "heads " + std::to_string(std::max(1, sizes.dModel / 64)) + ", head_dim 64",
         .subject = sideOf("flash attention", attention(AttentionAlgorithm::flash)),
         .reference = sideOf("materialised attention", attention(AttentionAlgorithm::materialised)),
         .sentence = "The scores are not written to memory; the FLOPs are equal."});
}

Claim utilisationClaim(const ClaimSizes& sizes)
{
    return {.id = "mfu",
            .title = "Model FLOPs utilisation",
            .note = "002",
            .says = "40" + kDash + "60 % of the peak is good",
            .sense = ClaimSense::shareOfPeak,
            .range = {0.4, 0.6},
            .component = info(FfnSpec(DenseFfn{})).component,
            .parameters = parameterText(denseOf(sizes)),
            .subject = denseSide(sizes),
            .reference = denseSide(sizes),
            .counted = std::numeric_limits<double>::quiet_NaN(),
            .verdict = ClaimVerdict::onlyMeasured,
            .sentence = "A property of a machine: of the dense FFN against the best product that "
                        "was measured on the same device."};
}

} // namespace

std::vector<Claim> claims(const ClaimSizes& sizes)
{
    std::vector<Claim> all;
    for (const SavingClaim& claim : savingClaims()) {
        all.push_back(counted(claim, sizes));
    }
    all.push_back(gatedClaim(sizes));
    all.push_back(expertsClaim(sizes, 8, 32, 2));
    all.push_back(chosenExpertsClaim(sizes));
    all.push_back(sharingClaim(sizes));
    all.push_back(backwardClaim(sizes));
    all.push_back(flashClaim(sizes));
    all.push_back(utilisationClaim(sizes));
    return all;
}

} // namespace flopsmith
