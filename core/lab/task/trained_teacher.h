// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/random.h"
#include "core/base/result.h"
#include "core/ffn/ffn.h"
#include "core/kernels/weights.h"
#include "core/lab/plan/task_spec.h"
#include "core/train/engine.h"

#include <string>
#include <vector>

namespace flopsmith {

/// An FFN of a trained model, and what it reads in that model: unlike a random teacher it has
/// structure.
struct TrainedTeacher
{
    FfnSpec ffn;
    Weights<float> weights; ///< of the FFN
    std::vector<float> inputs; ///< rows of d that it reads in the model's training data
    std::vector<float> testInputs; ///< in its test data
};

/// SHA-256 of a file of any kind.
Result<std::string> fileHash(const std::string& path);

/// The FFN of one layer of a saved model; its data are drawn from the seed. Errors: a file
/// that is no such model, or not the one of the hash; another width; no such layer, or no FFN there.
Result<TrainedTeacher> trainedTeacher(const TeacherTask& spec,
                                      int dModel,
                                      std::uint64_t seed,
                                      const Engine<float>& engine);

} // namespace flopsmith
