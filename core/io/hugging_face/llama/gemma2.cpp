// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/llama/gemma_like.h"

namespace flopsmith {
namespace {

constexpr Architecture kGemma2Architectures[]{
    {"Gemma2ForCausalLM", HeadKind::lm},
    {"Gemma2Model", HeadKind::none},
};

constexpr DecoderDefaults kGemma2Defaults{.vocab = 256000,
                                          .width = 2304,
                                          .dFf = 9216,
                                          .layers = 26,
                                          .heads = 8,
                                          .kvHeads = 4,
                                          .headDim = 256};
constexpr int kGemma2Window = 4096;
constexpr double kScoreCap = 50.0;
constexpr double kLogitCap = 30.0;

// Four norms, limits of scores and logits, and a window in every other block from the first on.
Model importGemma2(ConfigReader& config, const Architecture& architecture)
{
    noteBidirectional(config);
    Model model = gemmaLike(config, kGemma2Defaults, architecture);
    addSandwich(config, model, kLogitCap);
    attentionIn(model).softCap = softCapOf(config, "attn_logit_softcapping", kScoreCap);
    const std::vector<bool> sliding =
        slidingLayers(config, model.layers(), [](int layer) { return layer % 2 == 0; });
    setWindows(model, sliding, windowOf(config, "sliding_window", kGemma2Window));
    config.ignore({"sliding_window_size"});
    return model;
}

} // namespace

const Family& gemma2Family()
{
    static const Family kFamily{"gemma2", "Gemma-2", kGemma2Architectures, importGemma2};
    return kFamily;
}

} // namespace flopsmith
