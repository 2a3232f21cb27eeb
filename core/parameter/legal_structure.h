// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/legal_values.h"
#include "core/model/model.h"

#include <cstddef>

// Legal values that depend on more than one part of a model.
namespace flopsmith {

inline constexpr int kWidestModel = 65'536;

/// d_model: a multiple of what every mixer needs (its heads, twice them with RoPE).
LegalValues legalWidth(const Model& model);

/// The phase: decoding needs a cache to go on from in every block that it executes, and tokens.
LegalValues legalPhase(const Scenario& scenario);

/// What the embedding reads: an encoder-decoder reads tokens in both of its halves.
LegalValues legalInput(const Scenario& scenario);

/// The kind of head: images have no vocabulary to predict.
LegalValues legalHead(const Scenario& scenario);

/// Whether a head projects: a tied matrix that is not d wide can only be reached so.
LegalValues legalHeadProjection(const Scenario& scenario);

/// The half of a model that a run belongs to. Encoder blocks stand before all others and are never
/// alone. A block that cross-attention looks from, or that is the last to be looked at, stays what
/// it is, and so do shared ones, which would all change, and those of a pattern.
LegalValues legalStack(const Scenario& scenario, std::size_t run);

/// The share group of a run, of those in `groups`: not one of blocks in the other half of the
/// model, whose half it would take over with the rest.
LegalValues legalShareGroup(const Scenario& scenario, std::size_t run, const LegalValues& groups);

} // namespace flopsmith
