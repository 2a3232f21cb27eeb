// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/count/component.h"
#include "core/count/lens.h"
#include "core/formula/formula.h"

#include <string>

namespace flopsmith {

/// Elements that a model stores or moves: what a precision turns into bytes.
enum class ElementKind {
    parameters, ///< trainable ones, shared matrices once
    fixed, ///< parameters that are stored and not trained
    cachePerToken, ///< keys and values, or latents, that one decoder token leaves in all blocks
    savedActivations, ///< by a training step for its backward pass; of a component or of all
    moved, ///< between memory and the device by operations that are not fused, each operand once
};

/// The operations that a formula sums up: of one use of the part at a path, of a component in the
/// whole model, of a component in one use of a part, or, where both are empty, of the whole model.
struct FormulaPart
{
    std::string path{};
    const Component* component = nullptr;
};

/// A number of elements as a formula, from the same lines of code as the number. Its value is that of
/// summary(), of memory() and, times the bits of an element, of kvCacheBytesPerToken().
///
/// Errors: an invalid scenario, a path that the model does not have, saved activations of a model of
/// too many different blocks. Call it on the formulas' thread.
Result<Formula> elementFormula(const Scenario& scenario,
                               ElementKind kind,
                               const FormulaPart& part = {});

/// The FLOPs of a part under a lens that prices operations.
///
/// Errors: an invalid scenario, a lens that is a formula for the whole model, a path that the model
/// does not have. Call it on the formulas' thread.
Result<Formula> flopsFormula(const Scenario& scenario, LensId lens, const FormulaPart& part);

} // namespace flopsmith
