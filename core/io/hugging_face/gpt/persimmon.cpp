// SPDX-License-Identifier: MIT
#include "core/ffn/dense.h"
#include "core/io/hugging_face/common.h"

namespace flopsmith {
namespace {

constexpr Architecture kPersimmonArchitectures[]{
    {"PersimmonForCausalLM", HeadKind::lm},
    {"PersimmonModel", HeadKind::none},
};

constexpr double kPersimmonRotaryShare = 0.5;

// LayerNorm before each part and of each head's queries and keys, rotary positions on half of each
// head, a dense FFN of squared ReLU, and biases everywhere but in the head.
Model importPersimmon(ConfigReader& config, const Architecture& architecture)
{
    const int width = config.sizeOr({"hidden_size"}, 4096);
    const int heads = config.sizeOr({"num_attention_heads"}, 64);
    Attention attention{.heads = heads, .kvHeads = heads, .rotary = true};
    attention.rotaryDim = rotaryDimOf(
        config, "partial_rotary_factor", kPersimmonRotaryShare, attention.headDimFor(width));
    if (config.flag("qk_layernorm", true)) {
        attention.qkNorm = QkNorm::perHead;
        attention.qkNormKind = NormKind::layerNorm;
        attention.qkNormShift = true;
    }
    Block block;
    block.mixer = attention;
    block.ffn = DenseFfn{.dFf = config.sizeOr({"intermediate_size"}, 16384),
                         .activation = activationOf(config, {"hidden_act"}, "relu2")};
    Model model = stackOf(block, config.layersOr({"num_hidden_layers"}, 36));
    model.dModel = width;
    model.embedding = {.vocab = config.sizeOr({"vocab_size"}, 262144),
                       .positions = Positions::none};
    model.head = {.kind = architecture.head, .tied = config.flag("tie_word_embeddings", false)};
    readRotary(config);
    return model;
}

} // namespace

const Family& persimmonFamily()
{
    static const Family kFamily{"persimmon", "Persimmon", kPersimmonArchitectures, importPersimmon};
    return kFamily;
}

} // namespace flopsmith
