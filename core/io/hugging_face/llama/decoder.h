// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/hugging_face/common.h"

namespace flopsmith {

/// Defaults of a decoder class of the Llama kind for keys that its file lacks.
struct DecoderDefaults
{
    int vocab = 32000;
    int width = 4096;
    int dFf = 11008;
    int layers = 32;
    int heads = 32;
    int kvHeads = 0; ///< 0: as many as heads
    int headDim = 0; ///< 0: width / heads
    const char* activationKey = "hidden_act";
    const char* activation = "silu";
    bool tied = false;
};

/// A decoder of the Llama kind: RMSNorm before each part, rotary positions, grouped keys and
/// values, gated FFN, no biases. All blocks are in one run; the family changes what differs.
Model llamaLike(ConfigReader& config,
                const DecoderDefaults& defaults,
                const Architecture& architecture);

/// The same with another mixer, which has read its own keys.
Model plainDecoder(ConfigReader& config,
                   const DecoderDefaults& defaults,
                   const Architecture& architecture,
                   const MixerSpec& mixer);

/// num_key_value_heads: null means as many as heads; so does a missing key,
/// unless the class has a default.
int kvHeadsOf(ConfigReader& config, int classDefault, int heads);

/// attention_bias: of all four projections.
void readAttentionBias(ConfigReader& config, Model& model, bool classDefault);

/// A dense FFN in place of the gated one, as wide and with its activation.
void setDenseFfn(Model& model, bool bias);

/// Leaves rotary positions to the blocks that isRotary(layer) names.
void setRotary(Model& model, const std::function<bool(int)>& isRotary);

/// The window of Qwen: only if use_sliding_window is true, and then from block max_window_layers
/// on, unless layer_types is given.
void readQwenWindow(ConfigReader& config, Model& model);

} // namespace flopsmith
