// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/export/hugging_face/native_config.h"
#include "core/io/project/project_file.h"

#include <cstdint>
#include <stop_token>
#include <string>

namespace flopsmith {

struct HuggingFaceOptions
{
    std::uint64_t seed = 7; ///< of the weights, which are the same as in writeDesignFolder()
    bool weights = true; ///< false: no tensors are written
    bool overwrite = false; ///< write into an existing folder
    std::stop_token stop{}; ///< a new folder is then not made; the error is "stopped"
};

/// The content of the folder.
struct HuggingFaceFolder
{
    NativeFit fit;
    std::int64_t parameters = 0; ///< each once, without buffers
    std::int64_t bytes = 0; ///< of all tensors, without their headers
};

/// The folder that writeHuggingFaceFolder() would write. Errors: a model that cannot be executed.
Result<HuggingFaceFolder> plannedHuggingFaceFolder(const Scenario& scenario,
                                                   const HuggingFaceOptions& options);

/// The file that defines the model, as in writeHuggingFaceFolder(): config.json if a native family
/// fits, otherwise modeling_flopsmith.py. Has the errors of torch::modelSource().
Result<std::string> huggingFaceProgram(const Scenario& scenario, const HuggingFaceOptions& options);

/// A design as a folder of the Hugging Face library: of a native family if one fits, otherwise one
/// with its own code, which AutoModel reads with trust_remote_code=True. Contains config.json,
/// model.safetensors (random weights), design.flopsmith and README.md, and in the second case
/// configuration_flopsmith.py and modeling_flopsmith.py. A new folder appears only when complete.
/// Errors: a folder that exists; a model that cannot be executed; a file that cannot be written.
Result<HuggingFaceFolder> writeHuggingFaceFolder(const std::string& folder,
                                                 const Project& project,
                                                 const HuggingFaceOptions& options);

} // namespace flopsmith
