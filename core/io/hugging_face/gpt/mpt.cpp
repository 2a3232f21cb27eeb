// SPDX-License-Identifier: MIT
#include "core/ffn/dense.h"
#include "core/io/hugging_face/common.h"
#include "core/json/json.h"

namespace flopsmith {
namespace {

constexpr Architecture kMptArchitectures[]{
    {"MptForCausalLM", HeadKind::lm},
    {"MPTForCausalLM", HeadKind::lm},
    {"MptModel", HeadKind::none},
};

constexpr double kAlibiBiasMax = 8.0; ///< slopes down to 2^−8

const Json kNoAttentionConfig = Json::object();

// The values of attn_config.
struct MptAttention
{
    bool alibi = true;
    double qkvLimit = 0.0;
    double scoreScale = 0.0;
};

// Reads the keys of attn_config that the class uses; others are listed as not understood, like keys
// of the file itself.
MptAttention readAttentionConfig(ConfigReader& config)
{
    const Json& nested = config.value("attn_config");
    if (!nested.is_null() && !nested.is_object()) {
        config.fail("attn_config", "expected an object, found " + json::shownValue(nested));
        return {};
    }
    ConfigReader attention(nested.is_null() ? kNoAttentionConfig : nested);
    const MptAttention read{.alibi = attention.flag("alibi", true),
                            .qkvLimit = attention.value("clip_qkv") == Json(0)
                                ? 0.0 // the class treats 0 as none
                                : qkvLimitOf(attention),
                            .scoreScale = attention.positiveOr("softmax_scale", 0.0)};
    if (attention.realOr({"alibi_bias_max"}, kAlibiBiasMax) != kAlibiBiasMax) {
        config.leftOut("attn_config: alibi_bias_max: only slopes down to 2^-8 are computed, as the "
                       "library's class has them");
    }
    attention.requireText("attn_type", "multihead_attention");
    attention.requireFlag("qk_ln", false, "norms of queries and keys");
    attention.requireFlag("prefix_lm", false, "a prefix sees itself as a whole");
    attention.ignore({"attn_impl", "attn_uses_sequence_id", "model_type"});
    attention.ignore({"tie_word_embeddings"});
    attention.ignoreInherited();
    if (const Status status = attention.status(); !status) {
        config.fail("attn_config", status.error().message);
    }
    for (const std::string& note : attention.notes()) {
        config.note("attn_config: " + note);
    }
    return read;
}

// ALiBi, no biases anywhere, norms included; with ALiBi there is no table of positions, whatever
// learned_pos_emb says.
Model importMpt(ConfigReader& config, const Architecture& architecture)
{
    const auto [alibi, qkvLimit, scoreScale] = readAttentionConfig(config);
    const bool learned = config.flag("learned_pos_emb", true) && !alibi;
    const int width = config.sizeOr({"d_model", "hidden_size"}, 2048);
    const int heads = config.sizeOr({"n_heads", "num_attention_heads"}, 16);
    const int ratio = config.sizeOr({"expansion_ratio"}, 4);
    if (ratio != 4) {
        config.note("expansion_ratio: obeyed, as by the model's own code; the library's class "
                    "always has 4");
    }
    if (!alibi) {
        config.note("alibi is false: obeyed, as by the model's own code; the library's class "
                    "always has ALiBi, and no table of positions");
    }
    const Norm norm{.shift = false};
    Block block;
    block.mixer = Attention{.heads = heads,
                            .kvHeads = heads,
                            .qkvBias = false,
                            .outBias = false,
                            .positionBias = alibi ? PositionBias::alibi : PositionBias::none,
                            .scoreScale = scoreScale,
                            .qkvLimit = qkvLimit};
    block.ffn =
        DenseFfn{.dFf = timesWidth(ratio, width), .activation = Activation::gelu, .bias = false};
    block.norm = norm;
    Model model = stackOf(block, config.layersOr({"n_layers", "num_hidden_layers"}, 24));
    model.dModel = width;
    model.embedding = {.vocab = config.sizeOr({"vocab_size"}, 50368), .positions = Positions::none};
    if (learned) {
        model.embedding.positions = Positions::learned;
        model.embedding.positionRows = config.sizeOr({"max_seq_len"}, 2048);
    }
    model.finalNorm = norm;
    model.head = {.kind = architecture.head, .tied = config.flag("tie_word_embeddings", true)};
    model.head.scale = config.has("logit_scale");
    if (model.head.scale) {
        config.note("logit_scale: obeyed, as by the model's own code; the library's class does not "
                    "scale its logits");
    }
    config.requireFlag("no_bias", true, "the library's class has no biases");
    config.requireText("norm_type", "low_precision_layernorm");
    config.ignore({"embedding_fraction",
                   "fc_type",
                   "init_config",
                   "logit_scale",
                   "max_seq_len",
                   "param_init_fn"});
    return model;
}

} // namespace

const Family& mptFamily()
{
    static const Family kFamily{"mpt", "MPT", kMptArchitectures, importMpt};
    return kFamily;
}

} // namespace flopsmith
