// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/device/launch.cuh"

#include <cufft.h>

// Complex products of filters, as core/kernels/reference/ffn/spectral.cpp spells them out.
namespace flopsmith::cuda {

__device__ inline cufftComplex complexOf(float re, float im)
{
    return {re, im};
}

/// a·b
__device__ inline cufftComplex productOf(cufftComplex a, cufftComplex b)
{
    return complexOf(fmaf(a.x, b.x, -a.y * b.y), fmaf(a.x, b.y, a.y * b.x));
}

/// conj(a)·b
__device__ inline cufftComplex conjugateProduct(cufftComplex a, cufftComplex b)
{
    return complexOf(fmaf(a.x, b.x, a.y * b.y), fmaf(a.x, b.y, -a.y * b.x));
}

} // namespace flopsmith::cuda
