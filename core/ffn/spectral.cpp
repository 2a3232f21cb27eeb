// SPDX-License-Identifier: MIT
#include "core/ffn/spectral.h"

#include "core/base/numbers.h"
#include "core/base/random.h"

#include <numeric>

namespace flopsmith {
namespace {

constexpr Component kSpectralComponent{"spectral", "Spectral", 0x009E73, Hatch::horizontal};

LegalValues legalAlgorithm(const SpectralFfn& ffn, const FieldContext& /*context*/)
{
    if (ffn.selection == BinSelection::topK) {
        return LegalValues::choices({"auto", "fft"}); // top_k needs the whole spectrum
    }
    return LegalValues::choices(enumNames<SpectralAlgorithm>());
}

Field<SpectralFfn> algorithmField()
{
    Field<SpectralFfn> field = choiceField(
        &SpectralFfn::algorithm,
        {"algorithm",
         "",
         "algorithm",
         "fft, or direct products with the kept basis functions; auto takes the one with fewer "
         "nominal operations",
         ""});
    field.legal = legalAlgorithm;
    return field;
}

} // namespace

template <>
std::vector<std::string_view> enumNames<BinSelection>()
{
    return {"low_pass", "learned", "top_k"};
}

template <>
std::vector<std::string_view> enumNames<SpectralAlgorithm>()
{
    return {"auto", "fft", "direct"};
}

SpectralAlgorithm SpectralFfn::algorithmFor(int dModel) const
{
    if (selection == BinSelection::topK) {
        return SpectralAlgorithm::fft;
    }
    if (algorithm != SpectralAlgorithm::automatic) {
        return algorithm;
    }
    const Count products = Count{8} * dModel * kFreq; // two products of 2·d·2k operations
    return products < 2 * nominalRealFft(dModel) ? SpectralAlgorithm::direct
                                                 : SpectralAlgorithm::fft;
}

std::vector<int> SpectralFfn::candidateBins(int dModel) const
{
    if (selection == BinSelection::learned) {
        return Random(static_cast<std::uint64_t>(seed)).distinct(kFreq, bins(dModel));
    }
    std::vector<int> first(
        static_cast<std::size_t>(selection == BinSelection::topK ? bins(dModel) : kFreq));
    std::iota(first.begin(), first.end(), 0);
    return first;
}

const VariantInfo& SpectralFfn::info()
{
    static constexpr VariantInfo kInfo{
        "spectral",
        "Spectral",
        "irfft(w \xE2\x8A\x99 rfft(x)), k_freq bins",
        "Filters each token's features in the frequency domain and keeps a few frequencies. The "
        "transform costs O(d log d) however few are kept.",
        &kSpectralComponent};
    return kInfo;
}

const std::vector<Field<SpectralFfn>>& SpectralFfn::fields()
{
    static const std::vector<Field<SpectralFfn>> kFields{
        integerField(&SpectralFfn::kFreq,
                     {"k_freq", "k", "k_freq", "frequency bins that are kept", "bins"},
                     [](const SpectralFfn&, const FieldContext& context) {
                         return LegalValues::integers(1, bins(context.dModel));
                     }),
        choiceField(&SpectralFfn::selection,
                    {"selection",
                     "",
                     "bins",
                     "the lowest frequencies, a learned fixed list, or the largest of each token",
                     ""}),
        algorithmField(),
        choiceField(&SpectralFfn::activation,
                    {"activation", "", "activation", "after the inverse transform", ""}),
        onlyIf(integerField(&SpectralFfn::seed,
                            {"seed", "", "list seed", "draws the fixed list of bins", ""},
                            [](const SpectralFfn&, const FieldContext&) {
                                return LegalValues::integers(0, 1'000'000);
                            }),
               [](const SpectralFfn& ffn) { return ffn.selection == BinSelection::learned; }),
    };
    return kFields;
}

WeightShapes weights(const SpectralFfn& ffn, int dModel)
{
    const int entries = ffn.selection == BinSelection::topK ? SpectralFfn::bins(dModel) : ffn.kFreq;
    return {{"filter", entries, 2, Init::ones}};
}

} // namespace flopsmith
