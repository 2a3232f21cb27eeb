// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/gemm/bf16/bf16_emulation.h"

#include "core/kernels/cpu/gemm/bf16/bf16_few_rows.h"

#include <algorithm>
#include <array>
#include <atomic>

namespace flopsmith::cpu {
namespace {

std::atomic<int> emulations{0};

} // namespace

EmulatedBfloat16::EmulatedBfloat16()
{
    ++emulations;
}

EmulatedBfloat16::~EmulatedBfloat16()
{
    --emulations;
}

bool emulatesBfloat16()
{
    return emulations.load(std::memory_order_relaxed) > 0;
}

void multiplyEmulated(const BlockSize& size,
                      const Bfloat16* a,
                      const Bfloat16* panel,
                      float* c,
                      Into into)
{
    std::array<float, kFewRoundedRows * BlockSize::kMaxInner> values;
    for (std::int64_t first = 0; first < size.rows; first += kFewRoundedRows) {
        const std::int64_t rows = std::min(kFewRoundedRows, size.rows - first);
        for (std::int64_t r = 0; r < rows; ++r) {
            for (std::int64_t k = 0; k < size.inner; ++k) {
                values[static_cast<std::size_t>(r * size.inner + k)] =
                    valueOf(a[placeInTiles(first + r, k, size.inner)]);
            }
        }
        multiplyFewRounded({rows, size.inner, BlockSize::kPanel},
                           {values.data(), size.inner},
                           panel,
                           size.inner * BlockSize::kPanel,
                           {c + first * BlockSize::kPanel, BlockSize::kPanel},
                           into);
    }
}

} // namespace flopsmith::cpu
