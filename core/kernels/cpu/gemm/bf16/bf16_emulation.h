// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/bf16/bf16_block.h"

namespace flopsmith::cpu {

/// While one exists, every processor and every build computes products in bfloat16: operands are
/// rounded as usual, then multiplied and summed in float32. For tests, so that the code around
/// these products is compared with the reference on every machine. No program creates one: emulated
/// products take longer than float32 ones, and their times would mislead.
class EmulatedBfloat16
{
public:
    EmulatedBfloat16();
    ~EmulatedBfloat16();
    EmulatedBfloat16(const EmulatedBfloat16&) = delete;
    EmulatedBfloat16& operator=(const EmulatedBfloat16&) = delete;
};

bool emulatesBfloat16();

/// LeftBlock::multiply() in float32; `a` in tiles.
void multiplyEmulated(const BlockSize& size,
                      const Bfloat16* a,
                      const Bfloat16* panel,
                      float* c,
                      Into into);

} // namespace flopsmith::cpu
