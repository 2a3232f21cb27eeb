// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/json/json.h"
#include "core/model/model.h"

#include <string>
#include <vector>

namespace flopsmith {

/// How to treat a missing size while an unknown key may mean it.
enum class DoubtfulSize {
    refuse,
    assume, ///< the default of the library's class
};

/// A model read from a Hugging Face config.json, and notes for the reader.
struct ImportedConfig
{
    Model model{};
    Precision precision{}; ///< of stored weights and computation, according to the file
    std::string modelType{}; ///< of the family that read it: "gpt2"
    /// Defaults that were assumed, keys that were not understood: one sentence each.
    std::vector<std::string> notes{};
    /// The notes on parts of the model that the import omits, so that its weights would give other
    /// outputs here.
    std::vector<std::string> leftOut{};
};

/// Imports the families that family.h lists. Any other family, a member of a family that cannot be
/// imported exactly, or a wrong value is an Error: one sentence that names `source` and the key.
/// Unknown keys, and parts that are not counted, are in the notes.
Result<ImportedConfig> importedConfig(const Json& json,
                                      const std::string& source,
                                      DoubtfulSize doubtful = DoubtfulSize::refuse);

} // namespace flopsmith
