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

/// What was imported.
struct ImportedFolder
{
    std::string name{}; ///< of the model
    std::int64_t parameters = 0; ///< converted, each once
    std::vector<std::string> notes{}; ///< of the config, and tensors that nothing reads
    /// Why the weights do not fit, one sentence each; then nothing is written.
    std::vector<std::string> problems{};
};

/// Reads a Hugging Face folder, or its config.json, and writes a folder with design.flopsmith and,
/// if weights are wanted, model.safetensors under the names of the exported program: what
/// readStoredWeights() takes. Real numbers of 16 bits become F32, those of 64 stay. The folder
/// appears as a whole. Errors: a config that is refused; a family whose weights are not known, or a
/// model that computes what this one leaves out; a checkpoint or a folder that cannot be read or
/// written.
Result<ImportedFolder> importFolder(const std::string& from,
                                    const std::string& to,
                                    const FolderImportOptions& options);

} // namespace flopsmith
