// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/operation.h"

namespace flopsmith::bench {

/// Whether the operation can exist: the same rules as for a model that consists of it. Kernels
/// rely on them (heads that divide d_model, bins below d/2 + 1, …).
Status validated(const Operation& operation);

} // namespace flopsmith::bench
