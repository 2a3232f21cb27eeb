// SPDX-License-Identifier: MIT
#include "core/ffn/random_projection.h"

#include "core/kernels/cuda/plan/operations.h"
#include "core/kernels/cuda/planned.h"

namespace flopsmith::cuda {
namespace {

// scale·x·Rᵀ. The sparse matrix of signs is multiplied as a dense one.
Tensor* projected(Plan& plan, const SignMatrix& matrix, double scale, Tensor* x)
{
    const auto columns = static_cast<std::size_t>(matrix.columns);
    std::vector<float> signs(static_cast<std::size_t>(matrix.rows) * columns);
    for (int i = 0; i < matrix.rows; ++i) {
        for (const std::int32_t entry : matrix.row(i)) {
            const auto column = static_cast<std::size_t>(SignMatrix::column(entry));
            signs[static_cast<std::size_t>(i) * columns + column] =
                SignMatrix::isMinus(entry) ? -1.0F : 1.0F;
        }
    }
    Tensor* const y = plan.tensor(x->rows, matrix.rows);
    product(plan,
            {x->rows, matrix.columns, matrix.rows},
            {x, matrix.columns},
            {plan.constant(signs, matrix.columns), matrix.columns, Stored::transposed},
            {y, matrix.rows},
            {.scale = static_cast<float>(scale)});
    return y;
}

} // namespace

// y = β·(g ⊙ act(α·x·R₁ᵀ + b))·R₂ᵀ
Tensor* planFfn(Plan& plan, const RandomProjectionFfn& ffn, const FfnInput& in)
{
    const int d = in.dModel();
    Tensor* const before = projected(plan, ffn.inputProjection(d), ffn.inputScale(d), in.x);
    addBias(plan, before, in.weights[1]);
    Tensor* const features = activated(plan, ffn.activation, before);
    Tensor* const hidden = weightedSum(plan, nullptr, features, in.weights[0]);
    return projected(plan, ffn.outputProjection(d), ffn.outputScale(), hidden);
}

} // namespace flopsmith::cuda
