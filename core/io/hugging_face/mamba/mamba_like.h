// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/hugging_face/llama/decoder.h"
#include "core/mixer/mamba2.h"

namespace flopsmith {

/// What a family calls the sizes of its Mamba-2 mixers, and the defaults of its classes: the names of
/// hybrids beside attention.
struct StateSpaceKeys
{
    const char* heads = "mamba_n_heads";
    const char* headDim = "mamba_d_head";
    int usualHeadDim =
        0; ///< 0: what the expanded width leaves to each head, which "auto" means too
    const char* state = "mamba_d_state";
    int usualState = 256;
    const char* groups = "mamba_n_groups";
    int usualGroups = 1;
    const char* taps = "mamba_d_conv";
    const char* expand = "mamba_expand"; ///< nullptr: heads and head_dim alone give the width
    const char* chunk = "mamba_chunk_size";
    int usualChunk = 256;
    const char* convBias = "mamba_conv_bias";
    const char* bias = "mamba_proj_bias";
    const char* activation = "hidden_act";
};

/// The mixer of a model so wide. Every group of heads is a part of the gated norm.
Mamba2 stateSpaceOf(ConfigReader& config, const StateSpaceKeys& keys, int width);

/// Which blocks of a hybrid attend, by their names under `key` ("attention" or "full_attention", the
/// others "mamba" or "linear_attention"); empty if the key is missing or null.
std::vector<bool> attendingLayers(ConfigReader& config, const char* key, int layers);

/// Gives the blocks that do not attend the mixer.
void setStateSpaces(Model& model, const Mamba2& mixer, const std::vector<bool>& attends);

} // namespace flopsmith
