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

cublasOperation_t operationOf(Stored stored)
{
    return stored == Stored::transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
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

void writeZeros(const Device& device,
                const ProductSize& size,
                const Destination& c,
                const Batch& batch)
{
    for (std::int64_t i = 0; i < batch.count; ++i) {
        check(cudaMemset2DAsync(shifted(c, i * batch.c).first,
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

Operand shifted(const Operand& rows, std::int64_t elements)
{
    const auto bytes = elements * static_cast<std::int64_t>(bytesOf(rows.element));
    return {static_cast<const std::byte*>(rows.first) + bytes, rows.stride, rows.element};
}

Destination shifted(const Destination& rows, std::int64_t elements)
{
    const auto bytes = elements * static_cast<std::int64_t>(bytesOf(rows.element));
    return {static_cast<std::byte*>(rows.first) + bytes, rows.stride, rows.element};
}

std::size_t bytesOf(Element element)
{
    return element == Element::bfloat16 ? sizeof(__nv_bfloat16) : sizeof(float);
}

// cuBLAS is column-major, so it sees our row-major matrices transposed: swapping the operands
// computes cᵀ = bᵀ·aᵀ without copies.
void multiply(const Device& device,
              const ProductSize& size,
              const Operand& a,
              Stored aStored,
              const Operand& b,
              Stored bStored,
              const Destination& c,
              Into into,
              const Batch& batch,
              float scale)
{
    FLOPSMITH_CHECK(a.element == b.element);
    if (size.rows == 0 || size.columns == 0 || batch.count == 0) {
        return;
    }
    if (size.inner == 0) {
        if (into == Into::overwrite) {
            writeZeros(device, size, c, batch);
        }
        return;
    }
    const float beta = into == Into::accumulate ? 1.0F : 0.0F;
    check(cublasGemmStridedBatchedEx(device.blas(),
                                     operationOf(bStored),
                                     operationOf(aStored),
                                     asInt(size.columns),
                                     asInt(size.rows),
                                     asInt(size.inner),
                                     &scale,
                                     b.first,
                                     typeOf(b.element),
                                     asInt(b.stride),
                                     batch.b,
                                     a.first,
                                     typeOf(a.element),
                                     asInt(a.stride),
                                     batch.a,
                                     &beta,
                                     c.first,
                                     typeOf(c.element),
                                     asInt(c.stride),
                                     batch.c,
                                     asInt(batch.count),
                                     computeTypeOf(device, a.element),
                                     CUBLAS_GEMM_DEFAULT),
          "multiply matrices");
}

void multiplyAt(const Device& device,
                const ProductSize& size,
                const MatricesAt& a,
                const MatricesAt& b,
                const MatricesAt& c,
                std::int64_t count,
                Into into,
                float scale)
{
    FLOPSMITH_CHECK(a.element == b.element && size.inner > 0);
    if (size.rows == 0 || size.columns == 0 || count == 0) {
        return;
    }
    const float beta = into == Into::accumulate ? 1.0F : 0.0F;
    check(cublasGemmBatchedEx(device.blas(),
                              operationOf(b.stored),
                              operationOf(a.stored),
                              asInt(size.columns),
                              asInt(size.rows),
                              asInt(size.inner),
                              &scale,
                              b.first,
                              typeOf(b.element),
                              asInt(b.stride),
                              a.first,
                              typeOf(a.element),
                              asInt(a.stride),
                              &beta,
                              const_cast<void* const*>(c.first),
                              typeOf(c.element),
                              asInt(c.stride),
                              asInt(count),
                              computeTypeOf(device, a.element),
                              CUBLAS_GEMM_DEFAULT),
          "multiply matrices");
}

RoundedRows::RoundedRows(const Device& device, std::size_t elements)
    : m_device(&device)
    , m_rounded(device.memory(), operandElement(device) == Element::bfloat16 ? elements : 0)
{}

Operand RoundedRows::of(const float* from, std::int64_t rows, std::int64_t columns)
{
    if (m_device == nullptr || operandElement(*m_device) == Element::float32) {
        return operandAt(from, columns);
    }
    FLOPSMITH_CHECK(static_cast<std::size_t>(rows * columns) <= m_rounded.size());
    roundToBfloat16(*m_device, from, m_rounded.data(), rows * columns);
    return {m_rounded.data(), columns, Element::bfloat16};
}

OperandBuffer::OperandBuffer(const Device& device, std::size_t elements)
    : m_element(operandElement(device))
    , m_memory(device.memory(), elements * bytesOf(operandElement(device)))
{}

} // namespace flopsmith::cuda
