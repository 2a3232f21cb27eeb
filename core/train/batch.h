// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

namespace flopsmith {

/// The label of an output that is not compared.
inline constexpr int kNoLabel = -1;

/// The input of a forward pass.
template <class S>
struct TrainingInputs
{
    std::vector<int> tokens; ///< B·S ids for a model of tokens, otherwise empty
    std::vector<S> features; ///< x [T, d] of an FFN, or images [B, channels, size, size]
    std::vector<int> source{}; ///< B·S_src numbers for the encoder of a model that has one
};

/// The targets for the outputs [rows, columns]: either a class for each row, or numbers.
template <class S>
struct TrainingTargets
{
    std::vector<int> labels; ///< one per row, in [0, columns) or kNoLabel; empty: `values`
    std::vector<S> values;
    std::vector<std::size_t> places; ///< of the values among the outputs; empty: all of them
};

/// The batch of one step.
template <class S>
struct TrainingBatch
{
    TrainingInputs<S> inputs;
    TrainingTargets<S> targets;
};

} // namespace flopsmith
