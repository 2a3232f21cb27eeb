// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/gemm/blocked_product.h"

#include "core/kernels/cpu/gemm/product_tile.h"
#include "core/kernels/cpu/simd/buffer.h"
#include "core/kernels/cpu/simd/lane_transpose.h"
#include "core/kernels/cpu/threads/team.h"

#include <algorithm>

namespace flopsmith::cpu {
namespace {

// Columns of the right matrix that are packed together if the left one has several blocks of rows
// (nc): they stay in the last-level cache.
constexpr std::int64_t kColumnsAtOnce = 1024;
static_assert(kColumnsAtOnce % kPanel == 0);

float* packedPanels()
{
    static thread_local Buffer panels(bufferSize(kInnerAtOnce, kColumnsAtOnce), Grant::always);
    return panels.data();
}

[[maybe_unused]] const bool kThreadsHavePanels = onThreadStart([] {
    prepareRowBlocks();
    packedPanels();
});

// Some inner rows and at most kPanel columns of b.
void packNotTransposed(const MatrixAt<const float>& b,
                       std::int64_t inner,
                       std::int64_t columns,
                       float* panel)
{
    for (std::int64_t k = 0; k < inner; ++k) {
        const float* from = b.first + k * b.stride;
        if (columns == kPanel) {
            for (int q = 0; q < kPanelLanes; ++q) { // a call of memmove takes longer
                store(panel + q * kLanes, load(from + q * kLanes));
            }
        } else {
            std::copy_n(from, columns, panel);
            std::fill(panel + columns, panel + kPanel, 0.0F);
        }
        panel += kPanel;
    }
}

// Prefetch distance in rows while packing transposed: each row is in pages of its own, and hardware
// prefetchers do not cross pages.
constexpr std::int64_t kPrefetchRows = 2 * kLanes;

// The same for b stored transposed, [columns, inner]: transposes blocks of kLanes rows.
void packTransposed(const MatrixAt<const float>& b,
                    std::int64_t inner,
                    std::int64_t columns,
                    float* panel)
{
    for (std::int64_t first = 0; first < kPanel; first += kLanes) {
        const std::int64_t rows = std::clamp<std::int64_t>(columns - first, 0, kLanes);
        const float* from = b.first + first * b.stride;
        float* to = panel + first;
        std::int64_t k = 0;
        for (; k + kLanes <= inner; k += kLanes) {
            LaneBlock block{};
            for (std::int64_t row = 0; row < rows; ++row) {
                block[static_cast<std::size_t>(row)] = load(from + row * b.stride + k);
                __builtin_prefetch(from + (row + kPrefetchRows) * b.stride + k);
            }
            transpose(block);
            for (const Lanes& values : block) {
                store(to, values);
                to += kPanel;
            }
        }
        for (; k < inner; ++k) {
            for (std::int64_t lane = 0; lane < kLanes; ++lane) {
                to[lane] = lane < rows ? from[lane * b.stride + k] : 0.0F;
            }
            to += kPanel;
        }
    }
}

MatrixAt<const float> from(const MatrixAt<const float>& matrix,
                           Stored stored,
                           std::int64_t row,
                           std::int64_t column)
{
    return stored == Stored::notTransposed
        ? MatrixAt<const float>{matrix.first + row * matrix.stride + column, matrix.stride}
        : MatrixAt<const float>{matrix.first + column * matrix.stride + row, matrix.stride};
}

void addPanels(const RowBlock& block,
               const float* panels,
               std::int64_t inner,
               std::int64_t columns,
               const MatrixAt<float>& c,
               Sum sum)
{
    const std::int64_t wide = block.panelsAtOnce() * kPanel;
    for (std::int64_t j = 0; j < columns;) {
        const std::int64_t width = j + wide <= columns ? wide : std::min(kPanel, columns - j);
        block.add(panels + j * inner, width, {c.first + j, c.stride}, sum);
        j += width;
    }
}

} // namespace

void packPanels(const MatrixAt<const float>& b,
                Stored stored,
                std::int64_t inner,
                std::int64_t columns,
                float* panels)
{
    for (std::int64_t j = 0; j < columns; j += kPanel) {
        const std::int64_t width = std::min(kPanel, columns - j);
        if (stored == Stored::notTransposed) {
            packNotTransposed({b.first + j, b.stride}, inner, width, panels);
        } else {
            packTransposed({b.first + j * b.stride, b.stride}, inner, width, panels);
        }
        panels += inner * kPanel;
    }
}

void multiplyBlocked(const ProductSize& size,
                     const MatrixAt<const float>& a,
                     Stored aStored,
                     const MatrixAt<const float>& b,
                     Stored bStored,
                     const MatrixAt<float>& c,
                     Into into)
{
    const std::int64_t maxRows = rowsAtOnce(size.inner);
    // One block of rows is packed once, and every panel is multiplied while it is in the cache.
    const bool oneBlock = size.rows <= maxRows;
    const std::int64_t wide =
        oneBlock ? RowBlock(size.rows, 1).panelsAtOnce() * kPanel : kColumnsAtOnce;
    float* panels = packedPanels();
    const Sum first = firstSum(size, c, into);
    for (std::int64_t k = 0; k < size.inner; k += kInnerAtOnce) {
        const std::int64_t inner = std::min(kInnerAtOnce, size.inner - k);
        const Sum sum = k > 0 ? Sum::accumulate : first;
        for (std::int64_t j = 0; j < size.columns; j += wide) {
            const std::int64_t columns = std::min(wide, size.columns - j);
            packPanels(from(b, bStored, k, j), bStored, inner, columns, panels);
            for (std::int64_t row = 0; row < size.rows; row += maxRows) {
                const RowBlock block(std::min(maxRows, size.rows - row), inner);
                if (!oneBlock || j == 0) {
                    block.pack(from(a, aStored, row, k), aStored);
                }
                addPanels(
                    block, panels, inner, columns, {c.first + row * c.stride + j, c.stride}, sum);
            }
        }
    }
    if (first == Sum::stream) {
        fenceStreamingStores();
    }
}

} // namespace flopsmith::cpu
