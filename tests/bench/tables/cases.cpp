// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/tables/cases.h"

#include "core/base/check.h"
#include "core/ffn/ffn_variants.h"
#include "core/mixer/cross_attention.h"
#include "core/mixer/latent_attention.h"
#include "core/mixer/mamba2.h"

#include <algorithm>

namespace flopsmith::bench {
namespace {

SpectralFfn spectral(BinSelection selection, SpectralAlgorithm algorithm)
{
    SpectralFfn ffn;
    ffn.selection = selection;
    ffn.algorithm = algorithm;
    return ffn;
}

PolynomialFfn polynomial(ChannelSelection selection, CoefficientSharing coefficients)
{
    PolynomialFfn ffn;
    ffn.selection = selection;
    ffn.coefficients = coefficients;
    return ffn;
}

MicroRefineFfn microRefine(ChannelSelection selection)
{
    MicroRefineFfn ffn;
    ffn.selection = selection;
    return ffn;
}

KroneckerFfn kronecker(int dModel, int rank)
{
    return {.dFf = 4 * dModel,
            .d1 = nearRootDivisor(dModel),
            .f1 = nearRootDivisor(4 * dModel),
            .rank = rank};
}

MonarchFfn monarch(int dModel)
{
    return {.dFf = 4 * dModel, .blocks = MonarchFfn::usualBlocks(dModel, 4 * dModel)};
}

// Two thirds of 4d, in whole cache lines.
int gatedWidth(int dModel)
{
    return std::max(1, 8 * dModel / 3 / 64 * 64);
}

bool isWide(int dModel)
{
    return dModel >= 4096;
}

int headsFor(int dModel)
{
    const int headDim = isWide(dModel) ? 128 : 64;
    return std::max(1, dModel / headDim);
}

LatentAttention latent(int dModel, LatentForm form)
{
    const int headDim = dModel / headsFor(dModel);
    return {.heads = headsFor(dModel),
            .kvLoraRank = 4 * headDim,
            .qkNopeDim = headDim,
            .qkRopeDim = headDim / 2,
            .vHeadDim = headDim,
            .form = form,
            .cache = LatentCache::latents};
}

// Twice as wide as the model, in heads of 64 features.
Mamba2 recurrence(int dModel, ScanAlgorithm algorithm)
{
    const int headDim = std::min(64, dModel);
    return {.heads = std::max(1, 2 * dModel / headDim), .headDim = headDim, .algorithm = algorithm};
}

} // namespace

std::vector<Case> cases(int dModel)
{
    const auto shared = CoefficientSharing::shared;
    const auto perChannel = CoefficientSharing::perChannel;
    const auto fixed = ChannelSelection::fixed;
    const auto topK = ChannelSelection::topK;
    const auto fft = SpectralAlgorithm::fft;
    const auto ffn = [](const char* name, FfnSpec spec, Kind kind) {
        return Case{name, std::move(spec), kind};
    };
    const int heads = headsFor(dModel);
    const std::vector<int> few = isWide(dModel) ? std::vector{128} : std::vector{1, 128, 2048};
    const std::vector<int> decoding = isWide(dModel) ? std::vector{1} : std::vector{1, 128};
    return {
        ffn("dense, f = 4d", DenseFfn{.dFf = 4 * dModel}, Kind::product),
        ffn("gated, f = 8d/3", GatedFfn{.dFf = gatedWidth(dModel)}, Kind::product),
        {"attention", MixerSpec(Attention{.heads = heads, .kvHeads = heads}), Kind::product},
        {"cross attention",
         MixerSpec(CrossAttention{.heads = heads, .kvHeads = heads}),
         Kind::product,
         few},
        {"latent attention", MixerSpec(latent(dModel, LatentForm::expanded)), Kind::product, few},
        {"latent attention, absorbed",
         MixerSpec(latent(dModel, LatentForm::absorbed)),
         Kind::product,
         decoding},
        {"Mamba-2", MixerSpec(recurrence(dModel, ScanAlgorithm::chunked)), Kind::product, few},
        {"Mamba-2, token by token",
         MixerSpec(recurrence(dModel, ScanAlgorithm::recurrent)),
         Kind::product,
         decoding},
        ffn("experts, 2 of 8, f = d/2", MoeFfn{.dFf = std::max(1, dModel / 2)}, Kind::product),
        ffn("spectral low_pass", spectral(BinSelection::lowPass, fft), Kind::cheap),
        ffn("spectral top_k", spectral(BinSelection::topK, fft), Kind::cheap),
        ffn("polynomial static", polynomial(fixed, shared), Kind::cheap),
        ffn("polynomial top_k", polynomial(topK, perChannel), Kind::cheap),
        ffn("micro-refine static", microRefine(fixed), Kind::cheap),
        ffn("micro-refine top_k", microRefine(topK), Kind::cheap),
        ffn("token feedback", TokenFeedbackFfn{.rank = std::max(1, dModel / 6)}, Kind::cheap),
        ffn("random projection, 10 %", RandomProjectionFfn{.features = 4 * dModel}, Kind::cheap),
        ffn("random projection, 1 %",
            RandomProjectionFfn{.features = 4 * dModel, .density = 0.01},
            Kind::cheap),
        ffn("Kronecker, rank 1", kronecker(dModel, 1), Kind::cheap),
        ffn("Monarch", monarch(dModel), Kind::cheap),
        // PyTorch draws dropout in its own way.
        ffn("UltraEfficientSparseFFN", withoutDropout(ultraEfficientSparseFfn()), Kind::cheap),
    };
}

WeightShapes weightShapes(const Case& each, int dModel)
{
    if (const auto* ffn = std::get_if<FfnSpec>(&each.what)) {
        return weights(*ffn, dModel);
    }
    const auto* mixer = std::get_if<MixerSpec>(&each.what);
    FLOPSMITH_CHECK(mixer != nullptr);
    return weights(*mixer, dModel);
}

} // namespace flopsmith::bench
