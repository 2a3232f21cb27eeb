// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/export/torch/tensors/weight_source.h"
#include "core/io/project/project_file.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace flopsmith::torch {

/// Larger models get expected.safetensors only on request: the reference computes with all
/// parameters in double.
inline constexpr std::int64_t kMaxCheckedParameters = 300'000'000;

/// Above this number of parameters expected.safetensors has gradients only on request.
inline constexpr std::int64_t kMaxGradients = 20'000'000;

struct DesignFolderOptions
{
    WeightSource source{}; ///< the inputs are drawn from the seed after the weights'
    std::vector<std::string> symbols{}; ///< of a character tokenizer, one per token; may be empty
    bool weights = true; ///< false: no tensors are written
    bool gradients = false; ///< also of large models
    bool overwrite = false; ///< write into an existing folder
    /// Writes further files into the folder; README.md describes them by `moreText`.
    std::function<Status(const std::string& folder)> more{};
    std::string moreText{};
    std::stop_token stop{}; ///< a new folder is then not made; the error is "stopped"
};

/// The content of the folder, and what is left out.
struct DesignFolder
{
    std::int64_t parameters = 0; ///< each once, without buffers
    bool expected = false;
    bool gradients = false;
    std::int64_t bytes = 0; ///< of all tensors, without their headers
    std::int64_t memory = 0; ///< bytes that weights and gradients take while outputs are computed

    bool operator==(const DesignFolder&) const = default;
};

/// The folder that writeDesignFolder() would write. Errors: a model that cannot be executed.
Result<DesignFolder> plannedDesignFolder(const Scenario& scenario,
                                         const DesignFolderOptions& options);

/// A design as a folder that needs only PyTorch: model.py, model.safetensors (random weights),
/// expected.safetensors (inputs, outputs and gradients by the reference in double), check.py,
/// README.md and design.flopsmith. A new folder appears as a whole. Errors: a folder that exists,
/// a model that cannot be executed (see planOf()), outputs that take more memory than is free, a file
/// that cannot be written.
Result<DesignFolder> writeDesignFolder(const std::string& folder,
                                       const Project& project,
                                       const DesignFolderOptions& options);

} // namespace flopsmith::torch
