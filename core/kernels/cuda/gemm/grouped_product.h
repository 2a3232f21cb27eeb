// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/gemm/product.h"

#include <span>
#include <vector>

// Products of groups of rows with matrices of their own, as a mixture of experts needs them: how
// many rows a group has is known on the device alone.
namespace flopsmith::cuda {

constexpr int kGroupTile = 64; ///< rows and columns that one block computes

/// Rows sorted by group: those of group g are [starts[g], starts[g + 1]), and its tiles
/// [tileStarts[g], tileStarts[g + 1]). On the device.
struct RowGroups
{
    const int* starts = nullptr;
    const int* tileStarts = nullptr;
    int groups = 0;
    std::int64_t rows = 0; ///< of all groups

    /// Tiles there are at most.
    std::int64_t maxTiles() const
    {
        return rows / kGroupTile + (rows < groups ? rows : std::int64_t{groups});
    }
};

/// One matrix [in, out] per group, made ready for products: in bfloat16 a rounded copy.
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

/// c = a·W_g for the rows of every group; `a` is of the device's operandElement() and stands, with
/// `rowOf`, in row rowOf[r]. `w` transposed multiplies with W_gᵀ.
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
