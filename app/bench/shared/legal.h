// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/operation.h"

namespace flopsmith::bench {

/// Validates the operation by the rules for a model that consists of it. Kernels rely on them
/// (heads divide d_model, bins are below d/2 + 1, …).
Status validated(const Operation& operation);

} // namespace flopsmith::bench
