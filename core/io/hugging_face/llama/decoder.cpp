// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/llama/decoder.h"

#include "core/ffn/dense.h"
#include "core/ffn/gated.h"
#include "core/json/json.h"

namespace flopsmith {
namespace {

Attention rotaryAttention(ConfigReader& config, const DecoderDefaults& defaults)
{
    Attention attention{.qkvBias = false, .outBias = false, .rotary = true};
    attention.heads = config.sizeOr({"num_attention_heads"}, defaults.heads);
    attention.kvHeads = kvHeadsOf(config, defaults.kvHeads, attention.heads);
    const int width = config.sizeOr({"hidden_size"}, defaults.width);
    attention.headDim = defaults.headDim > 0 ? config.sizeOr({"head_dim"}, defaults.headDim)
                                             : headDimOf(config, attention.heads, width);
    return attention;
}

} // namespace

int kvHeadsOf(ConfigReader& config, int classDefault, int heads)
{
    if (!config.named("num_key_value_heads") && classDefault > 0) {
        return config.sizeOr({"num_key_value_heads"}, classDefault);
    }
    return config.sizeOrDerived({"num_key_value_heads"}, heads);
}

Model plainDecoder(ConfigReader& config,
                   const DecoderDefaults& defaults,
                   const Architecture& architecture,
                   const MixerSpec& mixer)
{
    Block block;
    block.mixer = mixer;
    block.ffn =
        GatedFfn{.dFf = config.sizeOr({"intermediate_size"}, defaults.dFf),
                 .activation = activationOf(config, {defaults.activationKey}, defaults.activation)};
    block.norm = Norm::rms();
    Model model = stackOf(block, config.layersOr({"num_hidden_layers"}, defaults.layers));
    model.dModel = config.sizeOr({"hidden_size"}, defaults.width);
    model.embedding = {.vocab = config.sizeOr({"vocab_size"}, defaults.vocab),
                       .positions = Positions::none};
    model.finalNorm = Norm::rms();
    model.head = {.kind = architecture.head,
                  .tied = config.flag("tie_word_embeddings", defaults.tied)};
    readRotary(config);
    return model;
}

Model llamaLike(ConfigReader& config,
                const DecoderDefaults& defaults,
                const Architecture& architecture)
{
    Attention attention = rotaryAttention(config, defaults);
    Model model = plainDecoder(config, defaults, architecture, attention);
    attentionIn(model).headDim = storedHeadDim(attention.headDim, attention.heads, model.dModel);
    return model;
}

void readAttentionBias(ConfigReader& config, Model& model, bool classDefault)
{
    const bool bias = config.flag("attention_bias", classDefault);
    attentionIn(model).qkvBias = bias;
    attentionIn(model).outBias = bias;
}

void setDenseFfn(Model& model, bool bias)
{
    const auto gated = get<GatedFfn>(blockIn(model).ffn);
    blockIn(model).ffn = DenseFfn{.dFf = gated.dFf, .activation = gated.activation, .bias = bias};
}

void setRotary(Model& model, const std::function<bool(int)>& isRotary)
{
    changeEachBlock(model, [&](Block& block, int layer) {
        attentionIn(block).rotary = isRotary(layer);
        if (!attentionIn(block).rotary) {
            attentionIn(block).rotaryDim = 0;
        }
    });
}

void readQwenWindow(ConfigReader& config, Model& model)
{
    constexpr int kWindow = 4096;
    constexpr int kFullLayers = 28;
    const int layers = model.layers();
    int full = layers;
    int window = 0;
    if (config.flag("use_sliding_window", false)) {
        full = config.countOr({"max_window_layers"}, kFullLayers);
        window = windowOf(config, "sliding_window", kWindow);
    }
    const std::vector<bool> sliding =
        slidingLayers(config, layers, [=](int layer) { return window > 0 && layer >= full; });
    if (window == 0 && std::find(sliding.begin(), sliding.end(), true) != sliding.end()) {
        config.fail("layer_types",
                    "contradicts use_sliding_window and sliding_window, which give no window");
    }
    setWindows(model, sliding, window);
    config.ignore({"sliding_window", "max_window_layers", "use_mrope"});
}

} // namespace flopsmith
