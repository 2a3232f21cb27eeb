// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/formula/formula.h"

namespace flopsmith {

/// Elements that a model stores: what a precision turns into bytes.
enum class ElementKind {
    parameters, ///< trainable ones, shared matrices once
    cachePerToken, ///< keys and values, or latents, that one decoder token leaves in all blocks
};

/// The number of elements as a formula, from the same lines of code as the number. Its value is that
/// of summary() and, times the bits of an element, of kvCacheBytesPerToken().
///
/// Errors: an invalid scenario. Call it on the formulas' thread.
Result<Formula> elementFormula(const Scenario& scenario, ElementKind kind);

} // namespace flopsmith
