// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/llama/gemma_like.h"

namespace flopsmith {

Model gemmaLike(ConfigReader& config, DecoderDefaults defaults, const Architecture& architecture)
{
    defaults.activationKey = "hidden_activation";
    defaults.activation = "gelu_pytorch_tanh";
    defaults.tied = true;
    Model model = llamaLike(config, defaults, architecture);
    readAttentionBias(config, model, false);
    model.embedding.scale = true;
    config.ignore({"hidden_act", "query_pre_attn_scalar"}); // readValues() takes the latter
    return model;
}

void noteBidirectional(ConfigReader& config)
{
    config.ignoreNoting(
        {"use_bidirectional_attention"},
        "the library's class masks what comes later all the same, and is counted so");
}

double softCapOf(ConfigReader& config, const char* key, double classDefault)
{
    return config.named(key) ? config.optionalReal(key) : classDefault;
}

void addSandwich(ConfigReader& config, Model& model, double logitCap)
{
    blockIn(model).placement = NormPlacement::sandwich;
    model.head.softCap = softCapOf(config, "final_logit_softcapping", logitCap);
}

} // namespace flopsmith
