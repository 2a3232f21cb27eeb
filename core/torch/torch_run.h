// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/lab/run/lab_run.h"

#include <string>
#include <vector>

namespace flopsmith::torch {

/// How train.py is started.
struct TorchCommand
{
    /// A Python with PyTorch, or torchrun with its arguments.
    std::vector<std::string> words{"python3"};
    int threads = 1; ///< of the processor, of each process

    bool operator==(const TorchCommand&) const = default;
};

/// Trains runs of a lab by PyTorch: the exported model with the same start weights, batches and
/// settings, through train.py in a folder of its own that is removed afterwards. States are those of
/// trainRun(), so that each continues what the other began.
RunExecutor executorByTorch(TorchCommand command);

/// Whether the command's Python has PyTorch, else a sentence.
Status hasTorch(const TorchCommand& command);

} // namespace flopsmith::torch
