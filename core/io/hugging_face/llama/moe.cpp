// SPDX-License-Identifier: MIT
#include "core/io/hugging_face/llama/moe.h"

#include "core/ffn/moe.h"

namespace flopsmith {

MoeFfn expertsLike(Model& model)
{
    const auto& ffn = get<GatedFfn>(blockIn(model).ffn);
    return {.dFf = ffn.dFf, .activation = ffn.activation};
}

void setFfns(Model& model, const FfnSpec& ffn, const std::function<bool(int)>& routed)
{
    changeEachBlock(model, [&](Block& block, int layer) {
        if (routed(layer)) {
            block.ffn = ffn;
        }
    });
}

void setExpertsLikeQwen(ConfigReader& config, Model& model, const MoeFfn& experts)
{
    const std::vector<int> dense = config.indices("mlp_only_layers");
    const int step = config.sizeOr({"decoder_sparse_step"}, 1);
    setFfns(model, experts, [&](int layer) {
        return std::find(dense.begin(), dense.end(), layer) == dense.end()
            && (layer + 1) % step == 0;
    });
}

} // namespace flopsmith
