// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/field.h"
#include "core/layer/embedding.h"
#include "core/layer/head.h"
#include "core/model/block.h"

#include <vector>

// Numbers of specifications that change no count: ε of norms, angles of RoPE, constant factors,
// limits. They are not parameters, so sliders, axes and --set do not have them; files store the
// ones that are not the default, beside the fields.
namespace flopsmith {

const std::vector<Field<Norm>>& valueFields(const Norm& norm);
const std::vector<Field<Embedding>>& valueFields(const Embedding& embedding);
const std::vector<Field<Head>>& valueFields(const Head& head);
const std::vector<Field<Block>>& valueFields(const Block& block); ///< including its norms'
const std::vector<Field<MixerSpec>>& valueFields(const MixerSpec& mixer);
const std::vector<Field<FfnSpec>>& valueFields(const FfnSpec& ffn); ///< without its stages'

} // namespace flopsmith
