// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/explanation.h"

#include <span>

namespace flopsmith {

/// What people are told of norms, embeddings and heads.
std::span<const Explanation> layerExplanations();

} // namespace flopsmith
