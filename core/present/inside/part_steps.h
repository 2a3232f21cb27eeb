// SPDX-License-Identifier: MIT
#pragma once

#include "core/present/inside/block_costs.h"
#include "core/present/inside/inside_shapes.h"

#include <string>

// The operations of a block, its mixers and its FFN, by their nodes in the cost tree.

namespace flopsmith {

InsideStep operationStep(const BlockCosts& costs, int node, const OperationShapes& shapes);

/// For a mixer or cross-attention: steps in sequence, some of them in parallel.
InsideStep mixerStep(const BlockCosts& costs,
                     const PassSizes& sizes,
                     const MixerSpec& mixer,
                     int node);

/// The same of an FFN, with the stages of a composed one and the experts of a mixture.
InsideStep ffnStep(const BlockCosts& costs,
                   const PassSizes& sizes,
                   const FfnSpec& ffn,
                   int node,
                   const std::string& title);

} // namespace flopsmith
