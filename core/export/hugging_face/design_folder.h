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
    std::uint64_t seed = 7; ///< of the weights, which are those of writeDesignFolder()
    bool weights = true; ///< else no tensors are written
    bool overwrite = false; ///< write into an existing folder
    std::stop_token stop{}; ///< a new folder is then not made; the error is "stopped"
};

/// What is written.
struct HuggingFaceFolder
{
    NativeFit fit;
    std::int64_t parameters = 0; ///< each once, without buffers
    std::int64_t bytes = 0; ///< of all tensors, without their headers
};

/// What writeHuggingFaceFolder() would write. Errors: a model that cannot be executed.
Result<HuggingFaceFolder> plannedHuggingFaceFolder(const Scenario& scenario,
                                                   const HuggingFaceOptions& options);

/// The file that says what the model is, as writeHuggingFaceFolder() writes it: config.json where a
/// native family fits, else modeling_flopsmith.py. Errors are those of torch::modelSource().
Result<std::string> huggingFaceProgram(const Scenario& scenario, const HuggingFaceOptions& options);

/// A design as a folder of the Hugging Face library: that of a native family where one fits, else
/// one with code of its own, which AutoModel reads with trust_remote_code=True. Holds config.json,
/// model.safetensors (random weights), design.flopsmith and README.md, and in the second case
/// configuration_flopsmith.py and modeling_flopsmith.py. A new folder appears as a whole. Errors: a
/// folder that exists; a model that cannot be executed; a file that cannot be written.
Result<HuggingFaceFolder> writeHuggingFaceFolder(const std::string& folder,
                                                 const Project& project,
                                                 const HuggingFaceOptions& options);

} // namespace flopsmith
