// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/hugging_face/common.h"

namespace flopsmith {

/// Defaults of a model class of the T5 kind for keys that its file lacks.
struct T5Defaults
{
    int vocab = 32128;
    int width = 512;
    int headDim = 64;
    int dFf = 2048;
    int layers = 6;
    int heads = 8;
    const char* feedForward = "relu";
    bool tied = true;
    bool scaledHead = true; ///< whether a tied LM head gets its input times d^-½
    bool namesHeadDim = true; ///< whether head_dim is another name of d_kv
    /// What the library does with a head that is not tied.
    const char* untied = "version 5 of the library ties it all the same";
};

/// Blocks of the encoder and of the decoder.
struct T5Layers
{
    int encoder = 0;
    int decoder = 0;
};

T5Layers layersOf(ConfigReader& config, const T5Defaults& defaults);

/// Encoder and decoder of the T5 kind: RMSNorm before each part and after each stack, no biases,
/// unscaled scores with a learned bias by distance, whose table the first block of each stack owns,
/// and attention to the encoder in every block of the decoder. A tied LM head multiplies its input
/// by d^-½, unless scale_decoder_outputs is false. A class without a decoder (T5EncoderModel) is
/// only the encoder.
Model t5Like(ConfigReader& config, const T5Defaults& defaults, const Architecture& architecture);

/// The FFN of block `layer` of the encoder or the decoder.
using T5Ffn = std::function<FfnSpec(Stack stack, int layer)>;

/// The same with other FFNs.
Model t5Like(ConfigReader& config,
             const T5Defaults& defaults,
             const Architecture& architecture,
             const T5Ffn& ffn);

} // namespace flopsmith
