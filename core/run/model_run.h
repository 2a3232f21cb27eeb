// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/kernels/weights.h"
#include "core/run/model_plan.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

// A whole model executed by the reference kernels. S is float, double or reference::Counted, with
// which a run executes exactly what the cost tree of the model says.
namespace flopsmith {

/// What a model reads.
template <class S>
struct ModelInputs
{
    std::vector<int>
        tokens; ///< B·S numbers in [0, V), one sequence after the other; of images none
    std::vector<int> source; ///< B·S_src of them for the encoder, none without one
    std::vector<S> images; ///< [B, channels, size, size]; of tokens none
};

/// Numbers of tokens drawn from a seed, or images of about unit size: as many as the plan reads.
template <class S>
ModelInputs<S> randomInputs(const ModelPlan& plan, std::uint64_t seed);

/// What forward() computed.
template <class S>
struct ModelRun
{
    /// lm: logits [B·S, V]; pooler [B, d]; classifier [B, classes]; without a head what the final
    /// norm leaves [B·S, d].
    std::vector<S> outputs;
    std::vector<S> unread; ///< of an unread pooler [B, d], else empty
    std::vector<std::vector<S>> kept; ///< for backward(): what each part read
};

/// Whether a run keeps what its backward pass reads, an activation [B·S, d] for most parts.
enum class Keep { nothing, forBackward };

/// One forward pass. `weights` has one tensor for each of plan.tensors (randomWeights(plan.shapes(),
/// seed) draws some); dropout acts where the plan is one of training. Errors: inputs or weights of
/// other sizes than the plan says; a token that is not in the vocabulary; "stopped" if a stop is
/// requested before the last part.
template <class S>
Result<ModelRun<S>> forward(const ModelPlan& plan,
                            const Weights<S>& weights,
                            const ModelInputs<S>& inputs,
                            Keep keep = Keep::nothing,
                            const std::stop_token& stop = {});

/// The gradients of Σ dOutputs ⊙ outputs for all of plan.tensors, of a tensor with several uses
/// their sum; of those that do not train, and of an unread pooler, zeros. Weights and inputs are
/// those of `run`. Errors: a run that kept nothing; dOutputs of another size than the outputs;
/// "stopped" as forward() says it.
template <class S>
Result<Weights<S>> backward(const ModelPlan& plan,
                            const Weights<S>& weights,
                            const ModelInputs<S>& inputs,
                            const ModelRun<S>& run,
                            std::span<const S> dOutputs,
                            const std::stop_token& stop = {});

/// The mean cross-entropy of an LM head's tokens or a classifier's sequences, and what its backward
/// pass reads.
template <class S>
struct ModelLoss
{
    S mean{};
    std::vector<S> exponentials; ///< sized like the outputs
    std::vector<S> totals; ///< one per row
};

/// The loss of outputs with one label per row: B·S tokens, or B classes. Errors: a head without
/// logits; outputs or labels of another number; a label that is not in [0, columns).
template <class S>
Result<ModelLoss<S>> lossOf(const ModelPlan& plan,
                            std::span<const S> outputs,
                            std::span<const int> labels);

/// The gradient of the outputs, sized like them, for the same labels.
template <class S>
std::vector<S> lossGradient(const ModelLoss<S>& loss, std::span<const int> labels);

} // namespace flopsmith
