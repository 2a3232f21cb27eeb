// SPDX-License-Identifier: MIT
#pragma once

#include "app/bench/shared/backend.h"
#include "app/bench/shared/operands.h"
#include "core/base/result.h"
#include "core/kernels/kernel.h"
#include "core/protocol/wire/message.h"

namespace flopsmith::bench {

/// In which precision the reference runs. Double, unless a second copy of the weights in double
/// precision does not fit into the memory: then single, on the very weights that the kernel uses.
enum class ReferencePrecision { float64, float32 };

/// About what verify() holds besides the operands and the kernel, which holds `kernelBytes`: the
/// weights in double precision, if it is that, and what it takes to check mixers on a shape of their
/// own. LM heads and embeddings are checked on some rows of their tables and need no copy of those.
Count checkBytes(const Operation& operation,
                 const Count& kernelBytes,
                 ReferencePrecision precision,
                 const Count& operations);

/// Compares the output of the kernel's last run with the reference, which may execute about
/// `operations` operations:
///   * what treats each token alone, on some of its tokens;
///   * an LM head besides on some of its vocabulary;
///   * what mixes tokens, on a smaller shape of the same kind, with a kernel of its own, where
///     the whole is too much.
/// An Error if they differ by more than rounding explains (check.h).
///
/// An FFN that selects the largest of its values can decide differently where two of them differ
/// by a rounding error. So a token that disagrees is tried again with its input moved by a few
/// units in the last place: agreeing with the reference there is as much as single precision can
/// promise. A wrong kernel exceeds the tolerance by orders of magnitude.
Result<CheckRecord> verify(const Operation& operation,
                           const Operands& operands,
                           const Kernel& kernel,
                           const Backend& backend,
                           ReferencePrecision precision,
                           const Count& operations);

} // namespace flopsmith::bench
