// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/legal_values.h"
#include "core/model/model.h"

#include <cstddef>

// Legal values that depend on more than one part of a model.
namespace flopsmith {

inline constexpr int kWidestModel = 65'536;

/// d_model: a multiple of every mixer's requirement (its heads, twice its heads with RoPE).
LegalValues legalWidth(const Model& model);

/// The phase: decoding needs tokens, and a cache in every block that it executes.
LegalValues legalPhase(const Scenario& scenario);

/// The embedding's input: an encoder-decoder reads tokens in both halves.
LegalValues legalInput(const Scenario& scenario);

/// The kind of head: images have no vocabulary to predict.
LegalValues legalHead(const Scenario& scenario);

/// Whether a head projects: only then can a tied matrix have another width than d.
LegalValues legalHeadProjection(const Scenario& scenario);

/// The half of a model that a run belongs to. Encoder blocks precede all others and are never
/// alone. The half is fixed for a block with cross-attention, for the last encoder block, for
/// shared blocks, which would all change, and for blocks of a pattern.
LegalValues legalStack(const Scenario& scenario, std::size_t run);

/// The share group of a run, among `groups`: not a group of blocks in the other half of the model,
/// because the run would move to that half with the rest.
LegalValues legalShareGroup(const Scenario& scenario, std::size_t run, const LegalValues& groups);

} // namespace flopsmith
