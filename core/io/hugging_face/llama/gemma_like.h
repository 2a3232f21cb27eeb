// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/hugging_face/llama/decoder.h"

namespace flopsmith {

/// A decoder of the Gemma kind: as Llama, but embeddings times √d, GELU in the gated FFN (also in
/// files whose older key hidden_act says otherwise), a head dimension of its own, and an LM head
/// that is the embedding again.
Model gemmaLike(ConfigReader& config, DecoderDefaults defaults, const Architecture& architecture);

/// use_bidirectional_attention of a class whose mask is causal all the same: noted if it is true.
void noteBidirectional(ConfigReader& config);

/// A limit of scores or logits: none if it is null, the default of the class if it is missing.
double softCapOf(ConfigReader& config, const char* key, double classDefault);

/// What Gemma-2 and Gemma-3 add: norms before and behind each part, and a limit of logits.
void addSandwich(ConfigReader& config, Model& model, double logitCap);

} // namespace flopsmith
