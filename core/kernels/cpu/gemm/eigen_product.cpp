// SPDX-License-Identifier: GPL-3.0-or-later
#define EIGEN_DONT_PARALLELIZE // see onThreads()
#include "core/kernels/cpu/gemm/library_product.h"

#include <Eigen/Core>

// The library where the build has no oneDNN. The limits are measured, see README.md of this folder.
namespace flopsmith::cpu {
namespace {

// The operands as they are in memory; a transposed one is column-major.
template <int Order>
using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Order>;
template <int Order>
using Operand = Eigen::Map<const Matrix<Order>, Eigen::Unaligned, Eigen::OuterStride<>>;
using Sums = Eigen::Map<Matrix<Eigen::RowMajor>, Eigen::Unaligned, Eigen::OuterStride<>>;

template <int AOrder, int BOrder>
void multiplyByEigen(const ProductSize& size,
                     const MatrixAt<const float>& a,
                     const MatrixAt<const float>& b,
                     const MatrixAt<float>& c,
                     Into into)
{
    const Operand<AOrder> left(a.first, size.rows, size.inner, Eigen::OuterStride<>(a.stride));
    const Operand<BOrder> right(b.first, size.inner, size.columns, Eigen::OuterStride<>(b.stride));
    Sums sums(c.first, size.rows, size.columns, Eigen::OuterStride<>(c.stride));
    if (into == Into::overwrite) {
        sums.setZero();
    }
    sums.noalias() += left * right;
}

} // namespace

void multiplyByLibrary(const ProductSize& size,
                       const MatrixAt<const float>& a,
                       Stored aStored,
                       const MatrixAt<const float>& b,
                       Stored bStored,
                       const MatrixAt<float>& c,
                       Into into)
{
    constexpr int kRows = Eigen::RowMajor;
    constexpr int kColumns = Eigen::ColMajor;
    const bool byRows = bStored == Stored::notTransposed;
    if (aStored == Stored::notTransposed) {
        (byRows ? multiplyByEigen<kRows, kRows>
                : multiplyByEigen<kRows, kColumns>)(size, a, b, c, into);
    } else {
        (byRows ? multiplyByEigen<kColumns, kRows>
                : multiplyByEigen<kColumns, kColumns>)(size, a, b, c, into);
    }
}

std::int64_t libraryThreshold()
{
    return 256;
}

bool libraryLeads(std::int64_t /*rows*/)
{
    return false;
}

LibraryVersion productLibrary()
{
    return {"Eigen",
            std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "."
                + std::to_string(EIGEN_MINOR_VERSION)};
}

int libraryVectorBits()
{
    return 8 * Eigen::internal::packet_traits<float>::size * static_cast<int>(sizeof(float));
}

void prepareLibrary() {}

} // namespace flopsmith::cpu
