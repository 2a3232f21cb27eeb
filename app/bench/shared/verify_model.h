// SPDX-License-Identifier: MIT
#pragma once

#include "app/bench/shared/verify.h"

namespace flopsmith::bench {

/// verify() for a whole model: its outputs by a kernel of its own on a smaller shape, where
/// `operations` do not allow the operation's own. Where FFNs select the largest of their values and
/// a choice hangs on a rounding error, other tokens are drawn: a wrong kernel agrees on none.
Result<CheckRecord> verifyModel(const ModelOperation& whole,
                                const Operation& operation,
                                const Operands& operands,
                                const Kernel& kernel,
                                const Backend& backend,
                                ReferencePrecision precision,
                                const Count& operations);

} // namespace flopsmith::bench
