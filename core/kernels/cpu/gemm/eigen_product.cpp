// SPDX-License-Identifier: GPL-3.0-or-later
#define EIGEN_DONT_PARALLELIZE // see onThreads()
#include "core/kernels/cpu/gemm/eigen_product.h"

#include <Eigen/Core>

namespace flopsmith::cpu {
namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class M>
using Mapped = Eigen::Map<M, Eigen::Unaligned, Eigen::OuterStride<>>;

} // namespace

void eigenProduct(const ProductSize& size,
                  const MatrixAt<const float>& a,
                  const MatrixAt<const float>& b,
                  const MatrixAt<float>& c)
{
    const Mapped<const Matrix> left(a.first, size.rows, size.inner, Eigen::OuterStride<>(a.stride));
    const Mapped<const Matrix> right(
        b.first, size.inner, size.columns, Eigen::OuterStride<>(b.stride));
    Mapped<Matrix>(c.first, size.rows, size.columns, Eigen::OuterStride<>(c.stride)).noalias() =
        left * right;
}

} // namespace flopsmith::cpu
