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

/// A model that was asked for by name or file.
struct Loaded
{
    Project project{};
    LoadedFrom from = LoadedFrom::preset;
    /// What a reader should know of an import: assumptions, keys that were not understood.
    std::vector<std::string> notes{};

    /// Whether it has a workload and a lens of its own; the others have the defaults.
    bool isWhole() const { return from == LoadedFrom::project || from == LoadedFrom::shareCode; }
};

/// A preset's id, a `.flopsmith` file, a Hugging Face `config.json` or the folder of one; files are
/// told apart by their content. An unknown name gets a sentence with the presets whose ids are nearest.
/// Numbers of a Flopsmith file that are not legal are refused, or repaired with a note for each.
/// A size of a config.json that is missing while another key may mean it is refused, or assumed.
Result<Loaded> loadModel(const std::string& nameOrPath,
                         Illegal illegal = Illegal::refuse,
                         DoubtfulSize doubtful = DoubtfulSize::refuse);

/// The text of a file of either kind.
Result<Loaded> modelOfText(std::string_view text,
                           const std::string& source,
                           Illegal illegal = Illegal::refuse,
                           DoubtfulSize doubtful = DoubtfulSize::refuse);

} // namespace flopsmith
