// SPDX-License-Identifier: MIT
#pragma once

#include "core/present/inside/inside.h"
#include "core/present/stack/stack.h"

#include <string>
#include <vector>

namespace flopsmith {

/// An operation of a part of a block, as listed below the part.
struct PartOperation
{
    const Component* component = nullptr;
    std::string text{}; ///< "qkv_proj 4.8 G"
    double share = 0.0; ///< of the part's cost

    bool operator==(const PartOperation&) const = default;
};

/// The operations of the block's mixer, cross-attention or FFN, in the order of execution; empty
/// for a part that is muted or belongs to no block.
std::vector<PartOperation> partOperations(const InsidePicture& picture,
                                          const Block& block,
                                          PartRole role);

/// Their texts in one line.
std::string operationsText(const std::vector<PartOperation>& operations);

} // namespace flopsmith
