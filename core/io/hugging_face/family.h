// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/hugging_face/config_reader.h"
#include "core/layer/activation.h"
#include "core/layer/head.h"
#include "core/model/model.h"

#include <span>
#include <string_view>

namespace flopsmith {

/// A class that a family's `architectures` may name, and the head that it puts on top.
struct Architecture
{
    std::string_view name; ///< "GPT2LMHeadModel"
    HeadKind head = HeadKind::lm;
};

/// One model family of the Hugging Face library: a file pair in this folder and a line in
/// families.cpp.
struct Family
{
    std::string_view modelType; ///< "gpt2"
    std::string_view title; ///< "GPT-2"
    std::span<const Architecture> architectures; ///< the usual one first
    /// Fills everything but the model's name. Reports through the reader.
    Model (*import)(ConfigReader& config, HeadKind head);
};

/// All families that are understood.
std::span<const Family* const> families();

/// The library's spelling of an activation under `key`: "gelu_new", "silu", …
Activation activationOf(ConfigReader& config, const char* key, const char* classDefault);

/// Width and heads of a decoder of the Llama kind, which Mistral and Qwen2 share: RMSNorm, rotary
/// positions, gated FFN, no biases. The caller sets what differs in the blocks of `runs`.
Model llamaLike(ConfigReader& config, HeadKind head);

} // namespace flopsmith
