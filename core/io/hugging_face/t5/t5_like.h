// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/hugging_face/common.h"

namespace flopsmith {

/// What the class of a model of the T5 kind assumes where its file says nothing.
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
    /// What the library makes of a head that is not tied.
    const char* untied = "version 5 of the library ties it all the same";
};

/// Blocks of the encoder and of the decoder.
struct T5Layers
{
    int encoder = 0;
    int decoder = 0;
};

T5Layers layersOf(ConfigReader& config, const T5Defaults& defaults);

/// Encoder and decoder of the T5 kind: RMSNorm before each part and behind each stack, no biases,
/// scores that are not scaled but have a learned bias by distance, whose table the first block of
/// each stack owns, and attention to the encoder in every block of the decoder. A tied LM head gets
/// its input times d^-½, unless scale_decoder_outputs says otherwise. A class without a decoder
/// (T5EncoderModel) is the encoder alone.
Model t5Like(ConfigReader& config, const T5Defaults& defaults, const Architecture& architecture);

/// The FFN of block `layer` of the encoder or the decoder.
using T5Ffn = std::function<FfnSpec(Stack stack, int layer)>;

/// The same with other FFNs.
Model t5Like(ConfigReader& config,
             const T5Defaults& defaults,
             const Architecture& architecture,
             const T5Ffn& ffn);

} // namespace flopsmith
