// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/t5/t5_like.h"

#include "core/ffn/gated.h"
#include "core/json/json.h"
#include "core/mixer/cross_attention.h"

namespace flopsmith {
namespace {

// feed_forward_proj: an activation, "gated-" before it for a gated FFN. "gated-gelu" has always
// meant the approximation by tanh.
FfnSpec feedForward(ConfigReader& config, const T5Defaults& defaults)
{
    constexpr std::string_view kGated = "gated-";
    const int dFf = config.sizeOr({"d_ff"}, defaults.dFf);
    const std::string name = config.text({"feed_forward_proj"}, defaults.feedForward);
    const bool gated = name.rfind(kGated, 0) == 0;
    const std::string plain = gated ? name.substr(kGated.size()) : name;
    const Json spelled = {{"feed_forward_proj", name == "gated-gelu" ? "gelu_new" : plain}};
    ConfigReader inner(spelled);
    const Activation activation = activationOf(inner, {"feed_forward_proj"}, "relu");
    if (const Status known = inner.status(); !known) {
        config.fail("feed_forward_proj",
                    json::shownValue(name)
                        + " is not known; the part after an "
                          "optional \"gated-\" must be the name of an activation");
    }
    if (config.flag("is_gated_act", gated) != gated) {
        config.fail("is_gated_act", "contradicts feed_forward_proj");
    }
    config.ignore({"dense_act_fn"});
    if (gated) {
        return GatedFfn{.dFf = dFf, .activation = activation};
    }
    return DenseFfn{.dFf = dFf, .activation = activation, .bias = false};
}

Block blockOf(ConfigReader& config, const T5Defaults& defaults, int width)
{
    const int heads = config.sizeOr({"num_heads", "num_attention_heads"}, defaults.heads);
    const int headDim = defaults.namesHeadDim
        ? config.sizeOr({"d_kv", "head_dim"}, defaults.headDim)
        : config.sizeOr({"d_kv"}, defaults.headDim);
    Block block;
    block.mixer =
        Attention{.heads = heads,
                  .kvHeads = heads,
                  .headDim = storedHeadDim(headDim, heads, width),
                  .qkvBias = false,
                  .outBias = false,
                  .scaleScores = false,
                  .relativeBuckets = config.sizeOr({"relative_attention_num_buckets"}, 32)};
    block.norm = Norm::rms();
    return block;
}

CrossAttention crossOf(const Attention& self)
{
    return {.heads = self.heads,
            .kvHeads = self.kvHeads,
            .headDim = self.headDim,
            .qkvBias = false,
            .outBias = false,
            .scaleScores = false};
}

void addStack(Model& model, const Block& pattern, Stack stack, int layers, const T5Ffn& ffn)
{
    for (int layer = 0; layer < layers; ++layer) {
        Block block = pattern;
        attentionIn(block).positionBias =
            layer == 0 ? PositionBias::relative : PositionBias::sharedRelative;
        block.ffn = ffn(stack, layer);
        model.runs.push_back({block, 1});
    }
}

// A head of its own takes its input as it is.
Head headOf(ConfigReader& config, const T5Defaults& defaults, HeadKind kind)
{
    const bool tied = config.flag("tie_word_embeddings", defaults.tied);
    if (!tied && kind == HeadKind::lm) {
        config.note(std::string("tie_word_embeddings: the LM head is not tied, as in checkpoints; ")
                    + defaults.untied);
    }
    return {.kind = kind,
            .tied = tied,
            .scale = config.flag("scale_decoder_outputs", tied && defaults.scaledHead)};
}

} // namespace

T5Layers layersOf(ConfigReader& config, const T5Defaults& defaults)
{
    const int encoder = config.layersOr({"num_layers", "num_hidden_layers"}, defaults.layers);
    const bool differ = config.has("num_decoder_layers");
    config.ignore({"num_decoder_layers"});
    return {encoder, differ ? config.layersOr({"num_decoder_layers"}, encoder) : encoder};
}

Model t5Like(ConfigReader& config,
             const T5Defaults& defaults,
             const Architecture& architecture,
             const T5Ffn& ffn)
{
    Model model;
    model.dModel = config.sizeOr({"d_model", "hidden_size"}, defaults.width);
    model.embedding = {.vocab = config.sizeOr({"vocab_size"}, defaults.vocab),
                       .positions = Positions::none};
    const T5Layers layers = layersOf(config, defaults);
    const bool encoderAlone = architecture.name.find("Encoder") != std::string_view::npos;
    Block encoder = blockOf(config, defaults, model.dModel);
    Block decoder = encoder;
    attentionIn(encoder).causal = false;
    encoder.stack = encoderAlone ? Stack::decoder : Stack::encoder;
    addStack(model, encoder, Stack::encoder, layers.encoder, ffn);
    if (!encoderAlone) {
        decoder.cross = crossOf(attentionIn(decoder));
        addStack(model, decoder, Stack::decoder, layers.decoder, ffn);
        model.encoderNorm = Norm::rms();
    }
    model.joinEqualRuns();
    model.finalNorm = Norm::rms();
    model.head = headOf(config, defaults, architecture.head);
    config.ignore({"is_encoder_decoder", "n_positions", "relative_attention_max_distance"});
    return model;
}

Model t5Like(ConfigReader& config, const T5Defaults& defaults, const Architecture& architecture)
{
    const FfnSpec same = feedForward(config, defaults);
    return t5Like(config, defaults, architecture, [same](Stack, int) { return same; });
}

} // namespace flopsmith
