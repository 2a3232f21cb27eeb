// SPDX-License-Identifier: MIT
#include "core/base/design_notes.h"
#include "core/claims/claim_parts.h"
#include "core/ffn/moe.h"
#include "core/mixer/attention.h"
#include "core/mixer/no_mixer.h"
#include "core/model/model_cost.h"

#include <algorithm>
#include <limits>

namespace flopsmith {
namespace {

const std::string kTimes(kClaimTimes);

// The claim's quantity on both sides, and the verdict.
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
                       .note = std::string(kFfnTutorial),
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
                       .note = std::string(kFfnTutorial),
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
         .note = std::string(kFfnTutorial),
         .says = "FLOPs grow with the experts per token",
         .sense = ClaimSense::timesAsMany,
         .range = {2, 2},
         .component = info(subject).component,
         .parameters = parameterText(subject),
         .subject = sideOf("8 experts, 4 per token", operationOf(subject, sizes)),
         .reference = sideOf("8 experts, 2 per token", operationOf(experts(sizes, 8, 2), sizes)),
         .sentence = "Twice the experts per token, twice the work."});
}

// Twelve blocks, with parameters of their own or shared ones.
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
                       .note = std::string(kFfnTutorial),
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
                       .note = std::string(kOnePagerNote),
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
         .note = std::string(kOnePagerNote),
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
            .note = std::string(kOnePagerNote),
            .says = "40" + std::string(kClaimDash) + "60 % of the peak is good",
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

std::vector<Claim> comparisonClaims(const ClaimSizes& sizes)
{
    return {gatedClaim(sizes),
            expertsClaim(sizes, 8, 32, 2),
            chosenExpertsClaim(sizes),
            sharingClaim(sizes),
            backwardClaim(sizes),
            flashClaim(sizes),
            utilisationClaim(sizes)};
}

} // namespace flopsmith
