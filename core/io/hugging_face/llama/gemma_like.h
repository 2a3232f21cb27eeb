// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/hugging_face/llama/decoder.h"

namespace flopsmith {

/// A decoder of the Gemma kind: like Llama, but embeddings times √d, GELU in the gated FFN (also in
/// files whose older key hidden_act differs), an explicit head dimension, and an LM head tied to
/// the embedding.
Model gemmaLike(ConfigReader& config, DecoderDefaults defaults, const Architecture& architecture);

/// use_bidirectional_attention in a class whose mask is causal anyway: noted if it is true.
void noteBidirectional(ConfigReader& config);

/// A cap on scores or logits: none if it is null, the class's default if it is missing.
double softCapOf(ConfigReader& config, const char* key, double classDefault);

/// The additions of Gemma-2 and Gemma-3: norms before and after each part, and a cap on logits.
void addSandwich(ConfigReader& config, Model& model, double logitCap);

} // namespace flopsmith
