// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/json/json.h"
#include "core/model/model.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// A config.json of a family for a model, as close as the family comes: the text that
/// importedConfig() reads back. For the families whose weights are known (nativeFamilies()).
Json nativeConfig(std::string_view modelType, const Model& model);

/// Which of the library's classes loads such a folder: "AutoModelForCausalLM".
std::string nativeAutoClass(std::string_view modelType, const Model& model);

/// Whether a family has a model of this design, and if not, how the nearest one differs.
struct NativeFit
{
    std::string modelType; ///< of the family that fits, or of the nearest
    std::string title; ///< "Llama"
    /// One sentence for each thing that differs; empty if the family fits.
    std::vector<std::string> differences;

    bool fits() const { return differences.empty(); }
};

/// Imports the config of every family and compares the model by value; its name and its patterns
/// of equal blocks do not count.
NativeFit nativeFit(const Model& model);

} // namespace flopsmith
