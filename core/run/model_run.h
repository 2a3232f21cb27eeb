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
// which a run counts exactly the operations of the model's cost tree.
namespace flopsmith {

/// The inputs of a model.
template <class S>
struct ModelInputs
{
    std::vector<int> tokens; ///< B·S ids in [0, V), one sequence after the other; empty for images
    std::vector<int> source; ///< B·S_src ids for the encoder, empty without one
    std::vector<S> images; ///< [B, channels, size, size]; empty for tokens
};

/// Numbers of tokens drawn from a seed, or images of about unit size: as many as the plan reads.
template <class S>
ModelInputs<S> randomInputs(const ModelPlan& plan, std::uint64_t seed);

/// The results of forward().
template <class S>
struct ModelRun
{
    /// lm: logits [B·S, V]; pooler [B, d]; classifier [B, classes]; without a head the output of
    /// the final norm [B·S, d].
    std::vector<S> outputs;
    std::vector<S> unread; ///< of an unread pooler [B, d], otherwise empty
    std::vector<std::vector<S>> kept; ///< for backward(): the input of each part
};

/// Whether a run saves the inputs for its backward pass, an activation [B·S, d] for most parts.
enum class Keep { nothing, forBackward };

/// One forward pass. `weights` has one tensor for each of plan.tensors
/// (randomWeights(plan.shapes(), seed) draws some); dropout is active in a training plan. Errors:
/// inputs or weights whose sizes differ from the plan's; a token that is not in the vocabulary;
/// "stopped" if a stop is requested before the last part.
template <class S>
Result<ModelRun<S>> forward(const ModelPlan& plan,
                            const Weights<S>& weights,
                            const ModelInputs<S>& inputs,
                            Keep keep = Keep::nothing,
                            const std::stop_token& stop = {});

/// The gradients of Σ dOutputs ⊙ outputs for all of plan.tensors, summed over the uses of a tensor;
/// zeros for tensors that are not trained, and for an unread pooler. Weights and inputs must be
/// those of `run`. Errors: a run that saved nothing; dOutputs whose size differs from the outputs';
/// "stopped" as in forward().
template <class S>
Result<Weights<S>> backward(const ModelPlan& plan,
                            const Weights<S>& weights,
                            const ModelInputs<S>& inputs,
                            const ModelRun<S>& run,
                            std::span<const S> dOutputs,
                            const std::stop_token& stop = {});

/// The mean cross-entropy of an LM head's tokens or a classifier's sequences, and the input of its
/// backward pass.
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
