// SPDX-License-Identifier: MIT
#pragma once

#include "app/bench/shared/operands.h"
#include "core/base/result.h"
#include "core/export/torch/tensors/tensor_names.h"
#include "core/model/operation.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace flopsmith::bench {

/// What an operation that decodes knows of earlier tokens, as worker.py lays it out.
struct ProgramCache
{
    std::string kind; ///< "heads" or "source" of keys and values, "latents", "none" but positions
    int heads = 0; ///< of keys and values; of latents their features, which the rotated ones follow
};

/// A composed FFN in the program whose output is dropped in part: PyTorch would draw other elements.
struct ProgramDropout
{
    std::string path; ///< of the module: "stages.1"; empty: the whole
    std::function<double(std::size_t)> factor; ///< what element i of its output is multiplied by
};

/// An operation as a program of PyTorch: the modules that the export writes.
struct PartProgram
{
    std::string source;
    std::string call; ///< the function or class that makes the module
    std::vector<torch::TorchTensor> tensors; ///< by their index in weightShapes(operation)
    std::vector<torch::TorchBuffer> buffers;
    std::vector<std::string> arguments; ///< of forward(), besides the cache
    std::optional<ProgramCache> cache;
    std::vector<ProgramDropout> dropouts; ///< of a backward pass
};

/// An Error says in one sentence why there is no such program.
Result<PartProgram> partProgram(const Operation& operation);

/// A residual addition is its own backward pass.
bool computesGradients(const Operation& operation);

/// A gradient that the program computes, of an argument or a tensor.
struct ProgramGradient
{
    std::string name; ///< empty: of a weight that the program does not have
    std::size_t size = 0;
};

/// Those of a backward pass in the order of a kernel's output: of the input, then of each weight.
std::vector<ProgramGradient> gradients(const PartProgram& program,
                                       const Operation& operation,
                                       const Inputs& inputs);

} // namespace flopsmith::bench
