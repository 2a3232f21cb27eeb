// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model.h"

// The operations of a training step beside a forward and a backward pass.
namespace flopsmith {

/// Whether the model has a loss that can be counted: cross-entropy over logits.
bool hasLoss(const Model& model);

/// Whether the mixer materialises scores, which selective checkpointing recomputes. Flash attention
/// does not: its backward pass recomputes scores anyway and counts them.
bool writesScores(const MixerSpec& mixer);

/// Whether checkpointing recomputes anything.
bool recomputes(const Scenario& scenario);

} // namespace flopsmith
