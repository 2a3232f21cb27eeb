// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/model/model.h"

#include <vector>

namespace flopsmith::torch {

/// One block of a model, runs spread out.
struct StackedBlock
{
    const Block* block = nullptr;
    int owner = 0; ///< the block whose parameters it uses: itself, or the first of its group
    /// The block whose table of relative positions its attention reads: the last one up to here
    /// that owns a fitting table. -1 if it needs none, or there is none.
    int tableOwner = -1;
};

/// The blocks of a model, which has to outlive the list.
std::vector<StackedBlock> stackedBlocks(const Model& model);

/// Whether the block's attention is executed and reads the table of an earlier block.
bool readsSharedTable(const Block& block);

/// Says in one sentence why a model cannot be executed as a program, if that is so.
Status checkedStack(const Model& model);

} // namespace flopsmith::torch
