// SPDX-License-Identifier: MIT
#include "core/mixer/mamba2.h"

#include <algorithm>

namespace flopsmith {
namespace {

constexpr Component kMamba2Component{"mamba2", "Mamba-2", 0x1D9C9C, Hatch::dots};
constexpr int kMostScanHeads = 4096;
constexpr int kLargestScanHeadDim = 2048;
constexpr int kLargestState = 4096;
constexpr int kWidestConv = 64;
constexpr int kLongestChunk = 65'536;

LegalValues legalNormGroups(const Mamba2& mixer, const FieldContext& /*context*/)
{
    return LegalValues::divisorsOf(static_cast<int>(std::max<std::int64_t>(mixer.inner(), 1)));
}

std::vector<Field<Mamba2>> mamba2Sizes()
{
    const auto size =
        [](int Mamba2::*member, const FieldText& text, int largest, Scale scale = Scale::log2) {
            return integerField(member, text, [largest, scale](const Mamba2&, const FieldContext&) {
                return LegalValues::integers(1, largest, scale);
            });
        };
    return {
        size(&Mamba2::heads,
             {"heads",
              "H",
              "heads",
              "heads of the recurrence, each with its state and decay",
              "heads"},
             kMostScanHeads),
        size(&Mamba2::headDim,
             {"head_dim", "h", "head_dim", "features per head; H of them are the inner width", ""},
             kLargestScanHeadDim),
        size(&Mamba2::stateDim,
             {"state_dim", "N", "state_dim", "numbers kept for each feature of a head", ""},
             kLargestState),
        integerField(&Mamba2::groups,
                     {"groups", "G", "groups", "groups of heads that share B and C", "groups"},
                     [](const Mamba2& mixer, const FieldContext&) {
                         return LegalValues::divisorsOf(std::max(mixer.heads, 1));
                     }),
        size(&Mamba2::convWidth,
             {"conv_width",
              "w_c",
              "conv_width",
              "tokens that the short convolution sees, the newest included",
              "tokens"},
             kWidestConv,
             Scale::linear),
        size(&Mamba2::chunk,
             {"chunk",
              "c",
              "chunk",
              "tokens that the chunked form takes together; the backward pass keeps a state per "
              "chunk",
              "tokens"},
             kLongestChunk),
    };
}

} // namespace

template <>
std::vector<std::string_view> enumNames<ScanAlgorithm>()
{
    return {"recurrent", "chunked"};
}

CachedFeatures Mamba2::cachedFeatures(int /*dModel*/) const
{
    return {.keys = inner() * stateDim,
            .values = std::int64_t{convWidth - 1} * channels(),
            .perSequence = true};
}

const VariantInfo& Mamba2::info()
{
    static constexpr VariantInfo kInfo{
        "mamba2",
        "Mamba-2",
        "S = a\xC2\xB7S + (\xCE\x94x)\xC2\xB7"
        "B\xE1\xB5\x80; y = norm((S\xC2\xB7"
        "C + D\xC2\xB7x)\xC2\xB7silu(z))\xC2\xB7Wo",
        "A recurrence in place of attention: what is kept of earlier tokens is a state of fixed "
        "size, so that cost grows with the length of the sequence, not with its square.",
        &kMamba2Component};
    return kInfo;
}

const std::vector<Field<Mamba2>>& Mamba2::fields()
{
    static const std::vector<Field<Mamba2>> kFields = [] {
        std::vector<Field<Mamba2>> all = mamba2Sizes();
        all.push_back(choiceField(&Mamba2::algorithm,
                                  {"algorithm",
                                   "",
                                   "algorithm",
                                   "recurrent: fewest operations, one token after the other; "
                                   "chunked: more of them, as products of matrices. Decoding is "
                                   "always recurrent",
                                   ""}));
        all.push_back(flagField(&Mamba2::gatedNorm,
                                {"gated_norm",
                                 "",
                                 "gated norm",
                                 "an RMSNorm after the gate, before the output projection",
                                 ""}));
        all.push_back(onlyIf(integerField(&Mamba2::normGroups,
                                          {"norm_groups",
                                           "G_n",
                                           "norm_groups",
                                           "parts of the inner width that are normalised alone",
                                           "groups"},
                                          legalNormGroups),
                             [](const Mamba2& mixer) { return mixer.gatedNorm; }));
        all.push_back(flagField(&Mamba2::convBias,
                                {"conv_bias", "", "conv bias", "a bias of the convolution", ""}));
        all.push_back(
            flagField(&Mamba2::bias,
                      {"bias", "", "bias", "biases of the input and the output projection", ""}));
        return all;
    }();
    return kFields;
}

WeightShapes weights(const Mamba2& mixer, int dModel)
{
    WeightShapes shapes{{"in_proj.weight", dModel, mixer.projected(), Init::normal}};
    const auto add =
        [&shapes](const char* name, std::int64_t rows, std::int64_t columns, Init init) {
            shapes.push_back({name, rows, columns, init});
        };
    if (mixer.bias) {
        add("in_proj.bias", 1, mixer.projected(), Init::small);
    }
    add("conv.weight", mixer.convWidth, mixer.channels(), Init::normal);
    if (mixer.convBias) {
        add("conv.bias", 1, mixer.channels(), Init::small);
    }
    add("dt_bias", 1, mixer.heads, Init::small);
    add("A_log", 1, mixer.heads, Init::small);
    add("D", 1, mixer.heads, Init::ones);
    if (mixer.gatedNorm) {
        add("norm", 1, mixer.inner(), Init::ones);
    }
    add("out_proj.weight", mixer.inner(), dModel, Init::normal);
    if (mixer.bias) {
        add("out_proj.bias", 1, dModel, Init::small);
    }
    return shapes;
}

Mamba2Tensors::Mamba2Tensors(const Mamba2& mixer)
{
    std::size_t next = 1;
    inBias = mixer.bias ? next++ : 0;
    conv = next++;
    convBias = mixer.convBias ? next++ : 0;
    stepBias = next++;
    decay = next++;
    skip = next++;
    norm = mixer.gatedNorm ? next++ : 0;
    out = next++;
    outBias = mixer.bias ? next : 0;
}

} // namespace flopsmith
