// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/model.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace flopsmith {

/// A model read from a Hugging Face config.json, and what a reader should know of it.
struct ImportedConfig
{
    Model model{};
    /// Defaults that were assumed, keys that were not understood: one sentence each.
    std::vector<std::string> notes{};
};

/// Imports the families gpt2, llama, mistral, qwen2 and bert, and refuses every other by name; so
/// are members of a family that are not imported exactly. Missing sizes, wrong types and impossible
/// numbers are one sentence that names `source` and the key.
Result<ImportedConfig> importedConfig(const nlohmann::ordered_json& json,
                                      const std::string& source);

} // namespace flopsmith
