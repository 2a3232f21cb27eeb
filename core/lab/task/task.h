// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/random.h"
#include "core/base/result.h"
#include "core/lab/plan/task_spec.h"
#include "core/train/batch.h"
#include "core/train/engine.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace flopsmith {

/// What is trained on a task.
enum class Learns {
    ffn, ///< an FFN alone, features [batch, d] to outputs [batch, d]
    classifyingFfn, ///< an FFN in front of frozen classes
    tokens, ///< a model of tokens with a language model's head
    images, ///< a model of real vectors: patches of 1×1 pixels, outputs without a head
};

/// The sizes that a task asks of what is trained.
struct TaskShape
{
    Learns learns = Learns::tokens;
    int batch = 1; ///< rows of an FFN, sequences of a model
    int sequence = 1;
    int vocab = 2; ///< of tokens
    int imageSize = 0; ///< of images
    int channels = 0;

    bool operator==(const TaskShape&) const = default;
};

/// Examples of a task for one seed. Everything follows from specification, width, seed and step.
class Task
{
public:
    virtual ~Task() = default;

    virtual TaskShape shape() const = 0;

    /// The batch of a step, from 1.
    virtual TrainingBatch<float> training(std::int64_t step) const = 0;

    /// The fixed examples of the evaluation, in batches of the same shape; what is left over of the
    /// last one has no label.
    virtual std::vector<TrainingBatch<float>> test() const = 0;

    virtual std::vector<ReferenceScore> references() const { return {}; }

    /// The frozen classes [d, C] of classifyingFfn, else none.
    virtual std::vector<float> classes() const { return {}; }

    /// What each token stands for in a text; empty where tokens are no characters.
    virtual std::vector<std::string> symbols() const { return {}; }
};

/// The task for models of this width. Errors: numbers that are not legal; a text file that cannot be
/// read, is too short, or is not what the specification's hash says.
/// `engine` computes teachers.
Result<std::unique_ptr<Task>> makeTask(const TaskSpec& spec,
                                       int dModel,
                                       std::uint64_t seed,
                                       const Engine<float>& engine = referenceEngine<float>());

/// The references of a task. Errors: a text that is not there.
Result<std::vector<ReferenceScore>> referenceScores(TaskSpec spec, int dModel);

/// Streams of random numbers that do not meet: one per seed, purpose and step.
enum class TaskStream : std::uint64_t { fixed = 1, training = 2, test = 3 };
Random taskStream(std::uint64_t seed, TaskStream purpose, std::int64_t step);

/// Examples in batches of one size.
struct LabelledSequence
{
    std::vector<int> tokens;
    std::vector<int> labels; ///< one per token
};
std::vector<TrainingBatch<float>> batchesOf(const std::vector<LabelledSequence>& sequences,
                                            int batch);

} // namespace flopsmith
