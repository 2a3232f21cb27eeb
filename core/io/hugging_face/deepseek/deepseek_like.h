// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/hugging_face/llama/decoder.h"
#include "core/io/hugging_face/llama/moe.h"

namespace flopsmith {

/// Defaults of a DeepSeek class for its experts; 0: none.
struct DeepseekExperts
{
    int routed = 0;
    int shared = 0;
    int perToken = 0;
    int dFf = 1407;
    int firstDense = 0; ///< blocks with a plain gated FFN before the first routed one
    int groups = 1;
    int groupsPerToken = 1;
    double scale = 1.0;
    bool renormalise = false;
    const char* score = "softmax";
    const char* choice = "greedy"; ///< topk_method
};

/// Replaces the FFNs of a DeepSeek model by routed and shared experts, according to its file.
void setDeepseekExperts(ConfigReader& config, Model& model, const DeepseekExperts& defaults);

/// Notes the layers that predict further tokens, which are not part of the pass.
void notePredicting(ConfigReader& config);

/// Defaults of a DeepSeek class with latent attention.
struct LatentDefaults
{
    DecoderDefaults decoder;
    DeepseekExperts experts;
    /// Whether queries have a low-rank projection if q_lora_rank is missing.
    bool queryLatents = true;
};

/// DeepSeek-V2 and V3: a decoder of the Llama kind with latent attention and experts.
Model latentDecoder(ConfigReader& config,
                    const LatentDefaults& defaults,
                    const Architecture& architecture);

} // namespace flopsmith
