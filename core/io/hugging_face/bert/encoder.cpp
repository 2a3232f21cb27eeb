// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/bert/encoder.h"

#include "core/ffn/dense.h"

namespace flopsmith {

Attention encoderAttention(ConfigReader& config, int heads)
{
    const int count = config.sizeOr({"num_attention_heads"}, heads);
    return {.heads = count, .kvHeads = count, .causal = false};
}

Head encoderHead(ConfigReader& config,
                 const Architecture& architecture,
                 Activation activation,
                 UnreadPooler pooler)
{
    Head head{.kind = architecture.head};
    if (head.kind == HeadKind::lm) {
        head.tied = config.flag("tie_word_embeddings", true);
        if (!head.tied) {
            config.note("tie_word_embeddings: with false the library stores two biases of the "
                        "logits and computes with the decoder's; the other is not counted");
        }
        head.bias = true;
        head.transform = true;
        head.activation = activation;
        head.unreadPooler = pooler == UnreadPooler::present;
        config.note(std::string(architecture.name)
                    + (head.unreadPooler
                           ? " has the masked language model's head, and a pooler beside it that "
                             "is executed although nothing reads its output"
                           : " has the masked language model's head; the plain model has a pooler "
                             "(head = pooler) or nothing (head = none) in its place"));
    } else if (head.kind == HeadKind::classifier) {
        head.classes = classesOf(config);
        head.bias = true;
        head.pooled = true;
    }
    config.ignore({"tie_word_embeddings", "num_labels"});
    return head;
}

Model encoderOf(ConfigReader& config, const EncoderDefaults& defaults, const MixerSpec& mixer)
{
    Block block;
    block.mixer = mixer;
    block.ffn = DenseFfn{.dFf = config.sizeOr({"intermediate_size"}, defaults.dFf),
                         .activation = activationOf(config, {"hidden_act"}, defaults.activation)};
    block.placement = NormPlacement::post;
    Model model = stackOf(block, config.layersOr({"num_hidden_layers"}, defaults.layers));
    model.dModel = config.sizeOr({"hidden_size"}, defaults.width);
    model.embedding = {.vocab = config.sizeOr({"vocab_size"}, defaults.vocab),
                       .positions = Positions::learned,
                       .positionRows =
                           config.sizeOr({"max_position_embeddings"}, defaults.positions),
                       .tokenTypes = config.countOr({"type_vocab_size"}, defaults.tokenTypes),
                       .norm = Norm{}};
    model.finalNorm = Norm::absent();
    return model;
}

void requireEncoder(ConfigReader& config)
{
    config.requireFlag("is_decoder", false, "a decoder of this family is another model");
    config.requireFlag("add_cross_attention", false, "it adds a second attention to every block");
}

void setPreNorm(Model& model)
{
    blockIn(model).placement = NormPlacement::pre;
    model.embedding.norm = Norm::absent();
    model.finalNorm = Norm{};
}

Model bertLike(ConfigReader& config,
               const EncoderDefaults& defaults,
               const Architecture& architecture)
{
    Model model = encoderOf(config, defaults, encoderAttention(config, defaults.heads));
    const Activation activation = get<DenseFfn>(blockIn(model).ffn).activation;
    model.head = encoderHead(config, architecture, activation);
    config.requireText("position_embedding_type", "absolute");
    config.refuseContent("pruned_heads", "blocks would differ in their heads");
    config.ignore({"directionality",
                   "pooler_fc_size",
                   "pooler_num_attention_heads",
                   "pooler_num_fc_layers",
                   "pooler_size_per_head",
                   "pooler_type"});
    return model;
}

} // namespace flopsmith
