// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/hugging_face/common.h"

namespace flopsmith {

/// Gated experts as wide as the model's gated FFN and with its activation.
MoeFfn expertsLike(Model& model);

/// Replaces the FFN of the blocks that routed(layer) names.
void setFfns(Model& model, const FfnSpec& ffn, const std::function<bool(int)>& routed);

/// The blocks that Qwen routes: not named in mlp_only_layers, and the last of each
/// decoder_sparse_step.
void setExpertsLikeQwen(ConfigReader& config, Model& model, const MoeFfn& experts);

} // namespace flopsmith
