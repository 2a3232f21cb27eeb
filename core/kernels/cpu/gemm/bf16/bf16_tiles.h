// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/bf16/bf16_block.h"

namespace flopsmith::cpu {

/// Whether the processor multiplies tiles of bfloat16 (AMX) and the system permits it. Queried
/// once.
bool hasTiles();

/// LeftBlock::multiply() where hasTiles(); `a`, `panel` and c begin at a cache line.
void multiplyByTiles(const BlockSize& size,
                     const Bfloat16* a,
                     const Bfloat16* panel,
                     const Bfloat16* next,
                     float* c,
                     Into into);

} // namespace flopsmith::cpu
