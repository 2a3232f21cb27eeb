// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/gemm/product.h"

#include "core/base/check.h"

#include <limits>

namespace flopsmith::cuda {
namespace {

cudaDataType_t typeOf(Element element)
{
    return element == Element::bfloat16 ? CUDA_R_16BF : CUDA_R_32F;
}

cublasOperation_t operationOf(const Operand& operand)
{
    return operand.stored == Stored::transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
}

cublasComputeType_t computeTypeOf(const Device& device, Element element)
{
    return element == Element::float32 && device.precision() == ProductPrecision::tf32
        ? CUBLAS_COMPUTE_32F_FAST_TF32
        : CUBLAS_COMPUTE_32F;
}

int asInt(std::int64_t size)
{
    FLOPSMITH_CHECK(size >= 0 && size <= std::numeric_limits<int>::max());
    return static_cast<int>(size);
}

void writeZeros(const Device& device, const ProductSize& size, const Operand& c, std::int64_t count)
{
    for (std::int64_t i = 0; i < count; ++i) {
        check(cudaMemset2DAsync(const_cast<void*>(shifted(c, i * c.step).first),
                                static_cast<std::size_t>(c.stride) * bytesOf(c.element),
                                0,
                                static_cast<std::size_t>(size.columns) * bytesOf(c.element),
                                static_cast<std::size_t>(size.rows),
                                device.stream()),
              "write zeros");
    }
}

} // namespace

Element operandElement(const Device& device)
{
    return device.precision() == ProductPrecision::bfloat16 ? Element::bfloat16 : Element::float32;
}

std::size_t bytesOf(Element element)
{
    return element == Element::bfloat16 ? sizeof(__nv_bfloat16) : sizeof(float);
}

Operand shifted(const Operand& rows, std::int64_t elements)
{
    Operand other = rows;
    other.first = static_cast<const std::byte*>(rows.first)
        + elements * static_cast<std::int64_t>(bytesOf(rows.element));
    return other;
}

// cuBLAS is column-major, so it sees our row-major matrices transposed: swapping the operands
// computes cᵀ = bᵀ·aᵀ without copies.
void multiply(const Device& device,
              const ProductSize& size,
              const Operand& a,
              const Operand& b,
              const Operand& c,
              const ProductWay& way)
{
    FLOPSMITH_CHECK(a.element == b.element);
    if (size.rows == 0 || size.columns == 0 || way.count == 0) {
        return;
    }
    if (size.inner == 0) {
        if (way.into == Into::overwrite) {
            writeZeros(device, size, c, way.count);
        }
        return;
    }
    const float beta = way.into == Into::accumulate ? 1.0F : 0.0F;
    check(cublasGemmStridedBatchedEx(device.blas(),
                                     operationOf(b),
                                     operationOf(a),
                                     asInt(size.columns),
                                     asInt(size.rows),
                                     asInt(size.inner),
                                     &way.scale,
                                     b.first,
                                     typeOf(b.element),
                                     asInt(b.stride),
                                     b.step,
                                     a.first,
                                     typeOf(a.element),
                                     asInt(a.stride),
                                     a.step,
                                     &beta,
                                     const_cast<void*>(c.first),
                                     typeOf(c.element),
                                     asInt(c.stride),
                                     c.step,
                                     asInt(way.count),
                                     computeTypeOf(device, a.element),
                                     CUBLAS_GEMM_DEFAULT),
          "multiply matrices");
}

void multiplyAt(const Device& device,
                const ProductSize& size,
                const Operand& a,
                const Operand& b,
                const Operand& c,
                const ProductWay& way)
{
    FLOPSMITH_CHECK(a.element == b.element && size.inner > 0);
    if (size.rows == 0 || size.columns == 0 || way.count == 0) {
        return;
    }
    const auto at = [](const Operand& operand) {
        return static_cast<const void* const*>(operand.first);
    };
    const float beta = way.into == Into::accumulate ? 1.0F : 0.0F;
    check(cublasGemmBatchedEx(device.blas(),
                              operationOf(b),
                              operationOf(a),
                              asInt(size.columns),
                              asInt(size.rows),
                              asInt(size.inner),
                              &way.scale,
                              at(b),
                              typeOf(b.element),
                              asInt(b.stride),
                              at(a),
                              typeOf(a.element),
                              asInt(a.stride),
                              &beta,
                              const_cast<void* const*>(at(c)),
                              typeOf(c.element),
                              asInt(c.stride),
                              asInt(way.count),
                              computeTypeOf(device, a.element),
                              CUBLAS_GEMM_DEFAULT),
          "multiply matrices");
}

} // namespace flopsmith::cuda
