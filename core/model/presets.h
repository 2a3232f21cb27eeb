// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// A named model to start from.
struct Preset
{
    std::string_view id; ///< "gpt2": on the command line
    std::string_view title; ///< "GPT-2 small"
    std::string_view note; ///< one line about it
    Model (*make)();
};

const std::vector<Preset>& presets();
std::optional<Model> presetNamed(std::string_view id);

/// The least to build on, since a model without blocks is not legal: one block of GPT-2 small, with
/// its embedding and head, named "untitled".
Model newModel();

} // namespace flopsmith
