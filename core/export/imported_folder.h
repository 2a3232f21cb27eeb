// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/io/hugging_face/import.h"

#include <cstdint>
#include <string>
#include <vector>

namespace flopsmith {

struct FolderImportOptions
{
    bool weights = false; ///< convert the checkpoint too
    bool overwrite = false; ///< write into an existing folder
    DoubtfulSize doubtful = DoubtfulSize::refuse;
};

/// The result of an import.
struct ImportedFolder
{
    std::string name{}; ///< of the model
    std::int64_t parameters = 0; ///< converted, each once
    std::vector<std::string> notes{}; ///< on the config, and tensors that were not read
    /// Why the weights do not fit, one sentence each; then nothing is written.
    std::vector<std::string> problems{};
};

/// Reads a Hugging Face folder, or its config.json, and writes a folder with design.flopsmith and,
/// on request, model.safetensors under the names of the exported program, for readStoredWeights().
/// Real numbers of 16 bits become F32, those of 64 bits stay. The folder appears only when
/// complete. Errors: a config that cannot be imported; a family whose weights are unknown, or a
/// model with parts that the import omits; a checkpoint or a folder that cannot be read or written.
Result<ImportedFolder> importFolder(const std::string& from,
                                    const std::string& to,
                                    const FolderImportOptions& options);

} // namespace flopsmith
