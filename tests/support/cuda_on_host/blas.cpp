// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/cuda_on_host/runtime.h"

#include <cublas_v2.h>
#include <cuda_bf16.h>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

// cuBLAS in plain loops, by columns as it is documented.
struct cublasContext
{
    cudaStream_t stream = nullptr;
};

namespace {

// Rounded to the 10 bits of mantissa that tensor cores read of a float.
float asTf32(float value)
{
    constexpr std::uint32_t kDropped = 13;
    std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    const bool finite = (bits & 0x7f800000U) != 0x7f800000U;
    if (finite) {
        bits += (1U << (kDropped - 1)) - 1 + (bits >> kDropped & 1U);
    }
    return std::bit_cast<float>(bits & ~((1U << kDropped) - 1));
}

struct Matrix
{
    const void* first;
    cudaDataType type;
    std::int64_t leading;
    bool transposed;
    bool rounded;

    float at(std::int64_t row, std::int64_t column) const
    {
        const std::int64_t i = transposed ? row * leading + column : column * leading + row;
        if (type == CUDA_R_16BF) {
            return __bfloat162float(static_cast<const __nv_bfloat16*>(first)[i]);
        }
        const float value = static_cast<const float*>(first)[i];
        return rounded ? asTf32(value) : value;
    }
};

void put(void* c, cudaDataType type, std::int64_t i, float product, float beta)
{
    if (type == CUDA_R_16BF) {
        auto& to = static_cast<__nv_bfloat16*>(c)[i];
        to = __float2bfloat16(beta == 0.0F ? product : product + beta * __bfloat162float(to));
    } else {
        float& to = static_cast<float*>(c)[i];
        to = beta == 0.0F ? product : product + beta * to;
    }
}

const void* moved(const void* first, cudaDataType type, std::int64_t elements)
{
    return static_cast<const char*>(first) + elements * (type == CUDA_R_16BF ? 2 : 4);
}

bool known(cudaDataType type)
{
    return type == CUDA_R_16BF || type == CUDA_R_32F;
}

// What all products of a batch have in common.
struct Product
{
    cublasOperation_t transa;
    cublasOperation_t transb;
    int m;
    int n;
    int k;
    float alpha;
    cudaDataType aType;
    int lda;
    cudaDataType bType;
    int ldb;
    float beta;
    cudaDataType cType;
    int ldc;
    cublasComputeType_t compute;

    bool tf32() const { return compute == CUBLAS_COMPUTE_32F_FAST_TF32; }
    bool possible() const
    {
        const bool supported = (tf32() || compute == CUBLAS_COMPUTE_32F) && aType == bType
            && known(aType) && known(cType) && (aType == CUDA_R_16BF || cType == CUDA_R_32F);
        return supported && m > 0 && n > 0 && k > 0 && ldc >= m
            && lda >= (transa == CUBLAS_OP_N ? m : k) && ldb >= (transb == CUBLAS_OP_N ? k : n);
    }

    void run(const void* a, const void* b, void* c) const
    {
        const Matrix left{a, aType, lda, transa != CUBLAS_OP_N, tf32()};
        const Matrix right{b, bType, ldb, transb != CUBLAS_OP_N, tf32()};
        for (std::int64_t column = 0; column < n; ++column) {
            for (std::int64_t row = 0; row < m; ++row) {
                float sum = 0.0F;
                for (std::int64_t j = 0; j < k; ++j) {
                    sum += left.at(row, j) * right.at(j, column);
                }
                put(c, cType, column * ldc + row, alpha * sum, beta);
            }
        }
    }
};

} // namespace

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle)
{
    *handle = new cublasContext;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle)
{
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream)
{
    handle->stream = stream;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t, void* workspace, std::size_t)
{
    cuda_on_host::expectOnDevice(workspace, "cublasSetWorkspace");
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetProperty(libraryPropertyType, int* value)
{
    *value = 0;
    return CUBLAS_STATUS_SUCCESS;
}

const char* cublasGetStatusString(cublasStatus_t)
{
    return "an error of the emulation";
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle,
                                          cublasOperation_t transa,
                                          cublasOperation_t transb,
                                          int m,
                                          int n,
                                          int k,
                                          const void* alpha,
                                          const void* a,
                                          cudaDataType aType,
                                          int lda,
                                          long long strideA,
                                          const void* b,
                                          cudaDataType bType,
                                          int ldb,
                                          long long strideB,
                                          const void* beta,
                                          void* c,
                                          cudaDataType cType,
                                          int ldc,
                                          long long strideC,
                                          int count,
                                          cublasComputeType_t compute,
                                          cublasGemmAlgo_t)
{
    const Product product{transa,
                          transb,
                          m,
                          n,
                          k,
                          *static_cast<const float*>(alpha),
                          aType,
                          lda,
                          bType,
                          ldb,
                          *static_cast<const float*>(beta),
                          cType,
                          ldc,
                          compute};
    if (!product.possible() || count <= 0) {
        return CUBLAS_STATUS_INVALID_VALUE;
    }
    for (const void* pointer : {a, b, static_cast<const void*>(c)}) {
        cuda_on_host::expectOnDevice(pointer, "cublasGemmStridedBatchedEx");
    }
    cuda_on_host::enqueue(handle->stream, [=] {
        for (std::int64_t i = 0; i < count; ++i) {
            product.run(moved(a, aType, i * strideA),
                        moved(b, bType, i * strideB),
                        const_cast<void*>(moved(c, cType, i * strideC)));
        }
    });
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle,
                                   cublasOperation_t transa,
                                   cublasOperation_t transb,
                                   int m,
                                   int n,
                                   int k,
                                   const void* alpha,
                                   const void* const a[],
                                   cudaDataType aType,
                                   int lda,
                                   const void* const b[],
                                   cudaDataType bType,
                                   int ldb,
                                   const void* beta,
                                   void* const c[],
                                   cudaDataType cType,
                                   int ldc,
                                   int count,
                                   cublasComputeType_t compute,
                                   cublasGemmAlgo_t)
{
    const Product product{transa,
                          transb,
                          m,
                          n,
                          k,
                          *static_cast<const float*>(alpha),
                          aType,
                          lda,
                          bType,
                          ldb,
                          *static_cast<const float*>(beta),
                          cType,
                          ldc,
                          compute};
    if (!product.possible() || count <= 0) {
        return CUBLAS_STATUS_INVALID_VALUE;
    }
    for (const void* pointers :
         {static_cast<const void*>(a), static_cast<const void*>(b), static_cast<const void*>(c)}) {
        cuda_on_host::expectOnDevice(pointers, "cublasGemmBatchedEx");
    }
    cuda_on_host::enqueue(handle->stream, [=] {
        for (int i = 0; i < count; ++i) {
            for (const void* pointer : {a[i], b[i], static_cast<const void*>(c[i])}) {
                cuda_on_host::expectOnDevice(pointer, "cublasGemmBatchedEx");
            }
            product.run(a[i], b[i], c[i]);
        }
    });
    return CUBLAS_STATUS_SUCCESS;
}
