// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/gemm/product.h"

#include <span>
#include <vector>

// Grouped GEMM for a mixture of experts: each group of rows has a matrix of its own, and only the
// device knows the group sizes.
namespace flopsmith::cuda {

constexpr int kGroupTile = 64; ///< rows and columns that one block computes

/// Rows sorted by group: group g has rows [starts[g], starts[g + 1]) and tiles
/// [tileStarts[g], tileStarts[g + 1]). Both arrays are on the device.
struct RowGroups
{
    const int* starts = nullptr;
    const int* tileStarts = nullptr;
    int groups = 0;
    std::int64_t rows = 0; ///< of all groups

    /// Upper bound of the number of tiles.
    std::int64_t maxTiles() const
    {
        return rows / kGroupTile + (rows < groups ? rows : std::int64_t{groups});
    }
};

/// One matrix [in, out] per group; in bfloat16 a rounded copy.
class GroupMatrices
{
public:
    GroupMatrices() = default;
    GroupMatrices(const Device& device,
                  int in,
                  int out,
                  const std::vector<DeviceSpan<const float>>& matrices);

    const void* const* data() const { return m_pointers.data(); }
    int in() const { return m_in; }
    int out() const { return m_out; }

private:
    int m_in = 0;
    int m_out = 0;
    OperandBuffer m_rounded;
    DeviceBuffer<const void*> m_pointers;
};

/// c = a·W_g for the rows of every group. `a` has the device's operandElement(); with `rowOf`, row
/// r of the product reads row rowOf[r] of `a`. `w` transposed multiplies with W_gᵀ.
void multiplyGroups(const Device& device,
                    const RowGroups& groups,
                    const Operand& a,
                    const int* rowOf,
                    const GroupMatrices& w,
                    Stored stored,
                    const Destination& c,
                    Into into = Into::overwrite);

/// gradients[g] = aᵀ·b [in, out] of the rows of each group, zeros where there are none. Pointers on
/// the device to float32; a and b as above.
void groupGradients(const Device& device,
                    const RowGroups& groups,
                    const Operand& a,
                    const int* rowOf,
                    const Operand& b,
                    int in,
                    int out,
                    float* const* gradients);

/// gradients[g][c] = Σ of the rows of each group.
void groupSums(const Device& device,
               const RowGroups& groups,
               const Operand& rows,
               int columns,
               float* const* gradients);

} // namespace flopsmith::cuda
