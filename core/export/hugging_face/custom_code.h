// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/io/project/project_file.h"
#include "core/json/json.h"

#include <string>
#include <string_view>

// A model that no family has, as code that the Hugging Face library loads from the folder.
namespace flopsmith {

/// In front of the names of the exported program's tensors.
inline constexpr std::string_view kCustomPrefix = "model.";

/// How to use the model.
struct CustomUse
{
    std::string autoClass; ///< of the library, which loads it: "AutoModelForCausalLM"
    std::string sentence; ///< inputs and outputs of its class, as lines of a README
};

CustomUse customUse(const Model& model);

/// config.json: the classes below, and the design itself under "flopsmith".
Json customConfig(const Project& project);

/// configuration_flopsmith.py
std::string customConfiguration();

/// modeling_flopsmith.py: the program of modelSource() and a class around it. Has the errors of
/// modelSource().
Result<std::string> customModeling(const Scenario& scenario);

} // namespace flopsmith
