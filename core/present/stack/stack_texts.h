// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"
#include "core/model/pattern.h"

#include <string>
#include <string_view>

// The names of the stack's parts, runs and patterns, and texts about them.

namespace flopsmith {

/// "50 257 × 768, learned positions", "196 patches of 16 × 16"
std::string embeddingDetail(const Model& model);

/// "tied to the embedding", "1000 classes"
std::string headDetail(const Head& head);

/// Which half the run belongs to, if there are two, and which blocks it is: "Decoder blocks 1 – 6".
std::string blocksTitle(const Model& model, const BlockRun& run, int first);

/// The same, with unusual properties of the blocks.
std::string runTitle(const Model& model, const BlockRun& run, int first);

/// "Pattern of blocks 1 – 6, of 26"
std::string patternTitle(const Model& model, const Pattern& pattern, int first);

/// The first two numbers that apply, by labels or symbols: "d_ff 3072", "heads 32, kv_heads 8",
/// "H 32, G 8".
std::string fieldsText(const MixerSpec& mixer, std::string_view FieldText::*name);
std::string fieldsText(const FfnSpec& ffn, std::string_view FieldText::*name);

/// "Micro-refine" → "micro", "Polynomial" → "poly": the id's first word, cut when it is long.
std::string shortTitle(const VariantInfo& variant);

} // namespace flopsmith
