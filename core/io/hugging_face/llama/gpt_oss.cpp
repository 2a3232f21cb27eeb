// SPDX-License-Identifier: MIT
#include "core/ffn/moe.h"
#include "core/io/hugging_face/llama/decoder.h"
#include "core/io/hugging_face/llama/moe.h"

namespace flopsmith {
namespace {

constexpr Architecture kGptOssArchitectures[]{
    {"GptOssForCausalLM", HeadKind::lm},
    {"GptOssModel", HeadKind::none},
};

constexpr DecoderDefaults kGptOssDefaults{.vocab = 201088,
                                          .width = 2880,
                                          .dFf = 2880,
                                          .layers = 36,
                                          .heads = 64,
                                          .kvHeads = 8,
                                          .headDim = 64};

// Biases in attention, router and experts, a sink per head, a window in every other block from the
// first on, and experts that are chosen before their logits are scored.
Model importGptOss(ConfigReader& config, const Architecture& architecture)
{
    Model model = llamaLike(config, kGptOssDefaults, architecture);
    readAttentionBias(config, model, true);
    attentionIn(model).sinks = true;
    MoeFfn experts = expertsLike(model);
    experts.experts = config.sizeOr({"num_local_experts", "num_experts"}, 128);
    experts.perToken = config.sizeOr({"num_experts_per_tok", "experts_per_token"}, 4);
    experts.scored = ScoredExperts::chosen;
    experts.bias = true;
    experts.routerBias = true;
    experts.gate = {.limit = config.positiveOr("swiglu_limit", 7.0),
                    .siluSlope = config.positiveOr("swiglu_alpha", 1.702),
                    .upOffset = 1.0};
    blockIn(model).ffn = experts;
    const std::vector<bool> sliding =
        slidingLayers(config, model.layers(), [](int layer) { return layer % 2 == 0; });
    setWindows(model, sliding, windowOf(config, "sliding_window", 128));
    config.note("the experts' activation is counted as SiLU; its limits, the factor in its sigmoid "
                "and the 1 added to the up projection are computed and not counted");
    return model;
}

} // namespace

const Family& gptOssFamily()
{
    static const Family kFamily{"gpt_oss", "gpt-oss", kGptOssArchitectures, importGptOss};
    return kFamily;
}

} // namespace flopsmith
