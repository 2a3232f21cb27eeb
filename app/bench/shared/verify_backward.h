// SPDX-License-Identifier: MIT
#pragma once

#include "app/bench/shared/verify.h"

namespace flopsmith::bench {

/// About what verifyBackward() holds besides the operands and the kernel, which holds `kernelBytes`.
Count backwardCheckBytes(const Operation& operation,
                         const Count& kernelBytes,
                         ReferencePrecision precision,
                         const Count& operations);

/// verify() for a backward pass. Gradients of weights are sums over all tokens, so that the whole
/// is compared, on a smaller shape of the same kind and with a kernel of its own where `operations`
/// do not allow the operation's own. Each tensor (the gradient of the input, and of every weight)
/// must agree by itself. Choices between values that differ by a rounding error are treated as by
/// verify().
Result<CheckRecord> verifyBackward(const Operation& operation,
                                   const Operands& operands,
                                   const Kernel& kernel,
                                   const Backend& backend,
                                   ReferencePrecision precision,
                                   const Count& operations);

} // namespace flopsmith::bench
