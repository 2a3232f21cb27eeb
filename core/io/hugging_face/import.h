// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/json/json.h"
#include "core/model/model.h"

#include <string>
#include <vector>

namespace flopsmith {

/// What becomes of a size that is missing while a key that may mean it is not understood.
enum class DoubtfulSize {
    refuse,
    assume, ///< the default of the library's class
};

/// A model read from a Hugging Face config.json, and what a reader should know of it.
struct ImportedConfig
{
    Model model{};
    Precision precision{}; ///< in which the file says that the weights are stored and computed with
    std::string modelType{}; ///< of the family that read it: "gpt2"
    /// Defaults that were assumed, keys that were not understood: one sentence each.
    std::vector<std::string> notes{};
    /// Those of them that tell what the model computes and this one does not, so that its weights
    /// would give other outputs here.
    std::vector<std::string> leftOut{};
};

/// Imports the families that family.h lists and refuses every other by name; so are members of a
/// family that are not imported exactly, and values that are wrong: one sentence that names `source`
/// and the key. A key that is not understood, and a part that is not counted, is in the notes.
Result<ImportedConfig> importedConfig(const Json& json,
                                      const std::string& source,
                                      DoubtfulSize doubtful = DoubtfulSize::refuse);

} // namespace flopsmith
