// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/gemm/bf16/bf16_emulation.h"
#include "core/kernels/cpu/gemm/precision.h"

#include <optional>

namespace flopsmith::test {

/// While one exists, the CPU kernels compute products in bfloat16 on any machine: by its own
/// instructions where it has them, otherwise emulated, so that no test is skipped for want of them.
class Bfloat16Anywhere
{
public:
    Bfloat16Anywhere()
    {
        if (!cpu::computesProductsIn(cpu::Precision::bfloat16)) {
            m_emulated.emplace();
        }
    }

private:
    std::optional<cpu::EmulatedBfloat16> m_emulated;
};

} // namespace flopsmith::test
