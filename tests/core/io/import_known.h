// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/hugging_face/import.h"
#include "core/json/json.h"

#include <string>
#include <string_view>
#include <vector>

namespace flopsmith::test {

/// What a known number of multiply–add pairs was counted for; logits at every token.
enum class Asked {
    full, ///< prefill, all pairs of queries and keys
    causal, ///< prefill, the pairs that a causal mask allows, as if there were no windows
    windows, ///< prefill, those that mask and windows allow
    decode, ///< one token after context − 1 cached ones; latents were expanded when they came
    absorbed, ///< the same with the expansion of latents folded into the queries
    encode, ///< a pass of an encoder; of an image; of a decoder with 512 tokens in its encoder
};

struct KnownCount
{
    Asked asked = Asked::full;
    int tokens = 0; ///< of the sequence, or of the context in decode
    const char* macs = "";
};

/// A published model: its dimensions, and integers that were counted independently of this program.
struct KnownModel
{
    const char* name = "";
    const char* config = ""; ///< JSON
    const char* parameters = ""; ///< trainable, shared matrices once
    const char* active = ""; ///< those that one token uses, its table of tokens whole
    const char* kvBytes = ""; ///< of the cache, per token, at 16 bits; empty: not stated
    std::vector<KnownCount> counts{};
};

/// A published model by its dimensions alone, and its published number of parameters.
struct KnownSize
{
    const char* name = "";
    const char* config = ""; ///< JSON
    const char* parameters = "";
};

const std::vector<KnownModel>& knownGptModels();
const std::vector<KnownModel>& knownLlamaModels();
const std::vector<KnownModel>& knownExpertModels();
const std::vector<KnownModel>& knownEncoderModels();

/// All of the above.
std::vector<KnownModel> knownModels();

/// The config of one of them.
std::string_view configNamed(std::string_view name);

/// The config as JSON; models of images get the thousand labels that their files have.
Json configOf(const KnownModel& known);

/// What `json` is imported as; a failure of the test, and a model without blocks, if it is refused.
ImportedConfig imported(const Json& json);
ImportedConfig imported(std::string_view json);
inline ImportedConfig imported(const char* json)
{
    return imported(std::string_view(json));
}

/// The sentence with which `json` is refused; a failure of the test if it is not.
std::string refusal(const Json& json);
std::string refusal(std::string_view json);
inline std::string refusal(const char* json)
{
    return refusal(std::string_view(json));
}

/// Trainable parameters of what is imported.
std::string parameters(std::string_view json);

/// The same with some keys replaced: merge patch, null removes a key.
Json patched(std::string_view json, std::string_view patch);

/// What the patched config of a published model is imported as.
Model modelOf(std::string_view known, std::string_view patch);

} // namespace flopsmith::test
