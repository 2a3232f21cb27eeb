// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/hugging_face/common.h"

namespace flopsmith {

/// Defaults of an encoder class of the BERT kind for keys that its file lacks.
struct EncoderDefaults
{
    int vocab = 30522;
    int width = 768;
    int layers = 12;
    int heads = 12;
    int dFf = 3072;
    int positions = 512;
    int tokenTypes = 2;
    const char* activation = "gelu";
};

/// An encoder of the BERT kind: learned positions and token types followed by a norm, attention
/// among all tokens, LayerNorm after each part, biases everywhere.
Model bertLike(ConfigReader& config,
               const EncoderDefaults& defaults,
               const Architecture& architecture);

/// Refuses the decoders and the cross-attention that an encoder's class can have too.
void requireEncoder(ConfigReader& config);

/// Norms before each part and at the end instead of after each part, and none of the embedding.
void setPreNorm(Model& model);

/// Embedding and FFN of such an encoder, with `mixer` in its blocks.
Model encoderOf(ConfigReader& config, const EncoderDefaults& defaults, const MixerSpec& mixer);

/// Attention without a mask.
Attention encoderAttention(ConfigReader& config, int heads);

/// Whether a masked language model has a pooler beside its head, whose output is never read.
enum class UnreadPooler { absent, present };

/// The masked language model's head (dense layer, activation and norm before the logits), a pooler,
/// or a classifier after the pooler.
Head encoderHead(ConfigReader& config,
                 const Architecture& architecture,
                 Activation activation,
                 UnreadPooler pooler = UnreadPooler::absent);

} // namespace flopsmith
