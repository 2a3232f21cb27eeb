// SPDX-License-Identifier: MIT
#include "core/mixer/latent_attention.h"

#include <cmath>

namespace flopsmith {
namespace {

constexpr Component kLatentAttentionComponent{"latent_attention",
                                              "Latent attention",
                                              0x3F7CAC,
                                              Hatch::forward};
constexpr int kMaxLatentHeads = 4096;
constexpr int kLargestRank = 65'536;
constexpr int kLargestHeadDim = 2048;

Field<LatentAttention> sizeField(int LatentAttention::*member,
                                 const FieldText& text,
                                 const LegalValues& legal)
{
    return integerField(
        member, text, [legal](const LatentAttention&, const FieldContext&) { return legal; });
}

std::vector<Field<LatentAttention>> latentSizeFields()
{
    return {
        sizeField(
            &LatentAttention::heads,
            {"heads", "H", "heads", "query heads; each has keys and values of its own", "heads"},
            LegalValues::integers(1, kMaxLatentHeads, Scale::log2)),
        sizeField(&LatentAttention::qLoraRank,
                  {"q_lora_rank",
                   "r_q",
                   "q_lora_rank",
                   "width of the queries' latents; 0 projects queries from x directly",
                   "features"},
                  LegalValues::integers(0, kLargestRank, Scale::log2)),
        sizeField(&LatentAttention::kvLoraRank,
                  {"kv_lora_rank",
                   "r_kv",
                   "kv_lora_rank",
                   "width of the latents that keys and values are expanded from",
                   "features"},
                  LegalValues::integers(1, kLargestRank, Scale::log2)),
        sizeField(&LatentAttention::qkNopeDim,
                  {"qk_nope_head_dim",
                   "h_nope",
                   "qk_nope_head_dim",
                   "features per head of queries and keys without positions",
                   "features"},
                  LegalValues::integers(1, kLargestHeadDim)),
        sizeField(&LatentAttention::qkRopeDim,
                  {"qk_rope_head_dim",
                   "h_rope",
                   "qk_rope_head_dim",
                   "features per head that RoPE turns; all heads share one key of them",
                   "features"},
                  LegalValues::integers(2, kLargestHeadDim, Scale::linear, 2)),
        sizeField(
            &LatentAttention::vHeadDim,
            {"v_head_dim", "h_v", "v_head_dim", "features per head of the values", "features"},
            LegalValues::integers(1, kLargestHeadDim)),
    };
}

Field<LatentAttention> formField()
{
    return choiceField(&LatentAttention::form,
                       {"form",
                        "",
                        "form",
                        "expanded: keys and values of every head; absorbed: attention to the "
                        "latents themselves; auto: absorbed in decode, expanded elsewhere. The "
                        "same outputs and parameters",
                        ""});
}

Field<LatentAttention> cacheField()
{
    return onlyIf(
        choiceField(&LatentAttention::cache,
                    {"cache",
                     "",
                     "cache",
                     "keys_and_values: earlier tokens stay expanded in working memory; "
                     "latents: every decode step expands all of them again",
                     ""}),
        [](const LatentAttention& a) { return a.causal && a.form == LatentForm::expanded; });
}

} // namespace

template <>
std::vector<std::string_view> enumNames<LatentForm>()
{
    return {"auto", "expanded", "absorbed"};
}

template <>
std::vector<std::string_view> enumNames<LatentCache>()
{
    return {"latents", "keys_and_values"};
}

LatentAttention LatentAttention::inStep(bool decodes) const
{
    LatentAttention step = *this;
    if (form == LatentForm::automatic) {
        step.form = decodes ? LatentForm::absorbed : LatentForm::expanded;
    }
    return step;
}

CachedFeatures LatentAttention::cachedFeatures(int /*dModel*/) const
{
    if (inStep(true).cachesLatents()) {
        return {.keys = std::int64_t{kvLoraRank} + qkRopeDim, .values = 0};
    }
    return {.keys = std::int64_t{heads} * qkNopeDim + qkRopeDim,
            .values = std::int64_t{heads} * vHeadDim};
}

const VariantInfo& LatentAttention::info()
{
    static constexpr VariantInfo kInfo{
        "latent_attention",
        "Latent attention",
        "c = norm(x\xC2\xB7Wc); softmax(q\xC2\xB7(c\xC2\xB7Wk)\xE1\xB5\x80/\xE2\x88\x9Ah)\xC2\xB7"
        "c\xC2\xB7Wv\xC2\xB7Wo",
        "Attention whose keys and values of all heads are expanded from one small latent per "
        "token (MLA, DeepSeek-V2 and V3), so that the cache holds the latent alone.",
        &kLatentAttentionComponent};
    return kInfo;
}

const std::vector<Field<LatentAttention>>& LatentAttention::fields()
{
    static const std::vector<Field<LatentAttention>> kFields = [] {
        std::vector<Field<LatentAttention>> all = latentSizeFields();
        all.push_back(
            flagField(&LatentAttention::causal,
                      {"causal", "", "causal", "a token sees only itself and earlier ones", ""}));
        all.push_back(flagField(
            &LatentAttention::bias,
            {"bias", "", "bias", "biases of the projections to latents and of the output", ""}));
        all.push_back(formField());
        all.push_back(cacheField());
        all.push_back(choiceField(&LatentAttention::algorithm,
                                  {"algorithm",
                                   "",
                                   "algorithm",
                                   "flash keeps scores on chip; materialised writes and reads "
                                   "them: the same operations, different bytes",
                                   ""}));
        return all;
    }();
    return kFields;
}

WeightShapes weights(const LatentAttention& attention, int dModel)
{
    const std::int64_t heads = attention.heads;
    const std::int64_t queries = heads * attention.qkDim();
    const std::int64_t rank = attention.kvLoraRank;
    WeightShapes shapes;
    const auto addLinear =
        [&shapes](const std::string& name, std::int64_t in, std::int64_t out, bool bias) {
            shapes.push_back({name + ".weight", in, out, Init::normal});
            if (bias) {
                shapes.push_back({name + ".bias", 1, out, Init::small});
            }
        };
    if (attention.hasQueryLatents()) {
        addLinear("q_a", dModel, attention.qLoraRank, attention.bias);
        shapes.push_back({"q_norm", 1, attention.qLoraRank, Init::ones});
        addLinear("q_b", attention.qLoraRank, queries, false);
    } else {
        addLinear("q", dModel, queries, false);
    }
    addLinear("kv_a", dModel, rank + attention.qkRopeDim, attention.bias);
    shapes.push_back({"kv_norm", 1, rank, Init::ones});
    addLinear("k_b", rank, heads * attention.qkNopeDim, false);
    addLinear("v_b", rank, heads * attention.vHeadDim, false);
    addLinear("out", heads * attention.vHeadDim, dModel, attention.bias);
    return shapes;
}

double LatentAttention::scoreFactor() const
{
    return scoreScale != 0.0 ? scoreScale : 1.0 / std::sqrt(static_cast<double>(qkDim()));
}

LatentTensors::LatentTensors(const LatentAttention& attention)
{
    std::size_t next = 1;
    if (attention.hasQueryLatents()) {
        qBias = attention.bias ? next++ : 0;
        qNorm = next++;
        qUp = next++;
    }
    down = next++;
    downBias = attention.bias ? next++ : 0;
    norm = next++;
    keys = next++;
    values = next++;
    out = next++;
    outBias = attention.bias ? next : 0;
}

} // namespace flopsmith
