// SPDX-License-Identifier: MIT
#pragma once

#include "app/bench_torch/jobs/part_program.h"
#include "core/io/safetensors/tensor_source.h"
#include "core/kernels/weights.h"

#include <stop_token>
#include <string>
#include <vector>

namespace flopsmith::bench {

/// Weights and lists drawn from seeds, as the program's state dict has them, and masks of dropout by
/// "mask." and their paths. Borrows all three.
std::vector<TensorToWrite> stateTensors(const PartProgram& program,
                                        const Operation& operation,
                                        WeightView<float> weights);

/// What a run reads, by the names of the arguments; "cached_keys", "cached_values" and the gradient of
/// the output, "dy", besides. Borrows the inputs.
std::vector<TensorToWrite> inputTensors(const Operation& operation, const Inputs& inputs);

/// Writes them as a safetensors file that is read at once and then removed: nothing waits for the disk.
/// An Error after a request to stop.
Status writeTensors(const std::string& path,
                    const std::vector<TensorToWrite>& tensors,
                    const std::stop_token& stop);

} // namespace flopsmith::bench
