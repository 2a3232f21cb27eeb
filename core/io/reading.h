// SPDX-License-Identifier: MIT
#pragma once

#include "core/io/hugging_face/import.h"
#include "core/io/project/project_file.h"

#include <string>
#include <string_view>
#include <vector>

namespace flopsmith {

/// Where a model came from.
enum class LoadedFrom { preset, project, config, shareCode };

/// A model that was requested by name or file.
struct Loaded
{
    Project project{};
    LoadedFrom from = LoadedFrom::preset;
    /// Notes on an import: assumptions, keys that were not understood.
    std::vector<std::string> notes{};

    /// Whether it has its own workload and lens; otherwise they are defaults.
    bool isWhole() const { return from == LoadedFrom::project || from == LoadedFrom::shareCode; }
};

/// A preset's id, a `.flopsmith` file, a Hugging Face `config.json` or its folder; files are
/// distinguished by their content. For an unknown name the Error lists the presets with the nearest
/// ids. Illegal numbers in a Flopsmith file are an Error, or repaired with a note for each. A size
/// that is missing in a config.json while another key may mean it is an Error, or assumed.
Result<Loaded> loadModel(const std::string& nameOrPath,
                         Illegal illegal = Illegal::refuse,
                         DoubtfulSize doubtful = DoubtfulSize::refuse);

/// The text of a file of either kind.
Result<Loaded> modelOfText(std::string_view text,
                           const std::string& source,
                           Illegal illegal = Illegal::refuse,
                           DoubtfulSize doubtful = DoubtfulSize::refuse);

} // namespace flopsmith
