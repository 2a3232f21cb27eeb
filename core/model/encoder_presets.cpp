// SPDX-License-Identifier: MIT
#include "core/model/encoder_presets.h"

#include "core/ffn/dense.h"
#include "core/mixer/cross_attention.h"
#include "core/mixer/fourier.h"

namespace flopsmith {
namespace {

constexpr Norm kEncoderNorm{.epsilon = 1e-12};

Model encoder(std::string name, int vocab, int tokenTypes, const MixerSpec& mixer, Activation act)
{
    Model model;
    model.name = std::move(name);
    model.dModel = 768;
    model.embedding = {.vocab = vocab,
                       .positions = Positions::learned,
                       .positionRows = 512,
                       .tokenTypes = tokenTypes,
                       .norm = kEncoderNorm};
    Block block;
    block.mixer = mixer;
    block.ffn = DenseFfn{.dFf = 3072, .activation = act};
    block.norm = kEncoderNorm;
    block.placement = NormPlacement::post;
    model.runs = {{block, 12}};
    model.finalNorm = Norm::absent();
    model.head = {.kind = HeadKind::pooler};
    return model;
}

Attention t5Attention(bool causal, PositionBias bias)
{
    Attention attention{
        .heads = 8, .kvHeads = 8, .causal = causal, .qkvBias = false, .outBias = false};
    attention.scaleScores = false;
    attention.positionBias = bias;
    return attention;
}

Block t5Block(Stack stack, PositionBias bias)
{
    const bool decoder = stack == Stack::decoder;
    Block block;
    block.mixer = t5Attention(decoder, bias);
    if (decoder) {
        block.cross = CrossAttention{.heads = 8, .kvHeads = 8, .scaleScores = false};
    }
    block.ffn = DenseFfn{.dFf = 2048, .activation = Activation::relu, .bias = false};
    block.norm = Norm::rms(1e-6);
    block.stack = stack;
    return block;
}

} // namespace

Model bertBase()
{
    return encoder("BERT-base", 30522, 2, Attention{.causal = false}, Activation::gelu);
}

Model fnetBase()
{
    Model model = encoder("FNet-base", 32000, 4, FourierMixer{}, Activation::geluTanh);
    model.embedding.projection = Projection::biased;
    model.embedding.positionsBeforeProjection = true;
    return model;
}

Model albertBase()
{
    Model model =
        encoder("ALBERT-base", 30000, 2, Attention{.causal = false}, Activation::geluTanh);
    model.embedding.width = 128;
    model.embedding.projection = Projection::biased;
    model.embedding.positionsBeforeProjection = true;
    model.runs.front().block.shareGroup = 1;
    return model;
}

Model vitBase16()
{
    Model model;
    model.name = "ViT-B/16";
    model.dModel = 768;
    model.embedding.input = InputKind::patches;
    Block block;
    block.mixer = Attention{.causal = false};
    block.ffn = DenseFfn{.dFf = 3072, .activation = Activation::gelu};
    block.norm = kEncoderNorm;
    model.runs = {{block, 12}};
    model.finalNorm = kEncoderNorm;
    model.head = {.kind = HeadKind::classifier, .bias = true};
    return model;
}

Model t5Small()
{
    Model model;
    model.name = "T5-small";
    model.dModel = 512;
    model.embedding = {.vocab = 32128, .positions = Positions::none};
    for (const Stack stack : {Stack::encoder, Stack::decoder}) {
        model.runs.push_back({t5Block(stack, PositionBias::relative), 1});
        model.runs.push_back({t5Block(stack, PositionBias::sharedRelative), 5});
    }
    model.encoderNorm = Norm::rms(1e-6);
    model.finalNorm = Norm::rms(1e-6);
    model.head.scale = true;
    return model;
}

} // namespace flopsmith
