// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/device/failure.h"

namespace flopsmith::cuda {
namespace {

[[noreturn]] void fail(std::string_view what,
                       bool forMemory,
                       std::string_view library,
                       const std::string& why)
{
    if (forMemory) {
        throw DeviceOutOfMemory("There is not enough GPU memory to " + std::string(what)
                                + "; fewer tokens or a smaller d_model would do");
    }
    throw DeviceFailure("The GPU could not " + std::string(what) + ": " + std::string(library)
                        + " says " + why);
}

} // namespace

void check(cudaError_t result, std::string_view what)
{
    if (result != cudaSuccess) {
        cudaGetLastError(); // clears the error, which the next launch would report again
        fail(what, result == cudaErrorMemoryAllocation, "CUDA", cudaGetErrorString(result));
    }
}

void check(cublasStatus_t result, std::string_view what)
{
    if (result != CUBLAS_STATUS_SUCCESS) {
        const bool forMemory = result == CUBLAS_STATUS_ALLOC_FAILED;
        fail(what, forMemory, "cuBLAS", cublasGetStatusString(result));
    }
}

void check(cufftResult result, std::string_view what)
{
    if (result != CUFFT_SUCCESS) {
        fail(what, result == CUFFT_ALLOC_FAILED, "cuFFT", "code " + std::to_string(result));
    }
}

std::string reasonOf(cudaError_t result)
{
    switch (result) {
    case cudaErrorInsufficientDriver:
        return "There is no NVIDIA driver, or it is older than this program's CUDA runtime; "
               "installing a newer driver would help";
    case cudaErrorNoDevice: return "The NVIDIA driver finds no GPU here";
    case cudaErrorDevicesUnavailable: return "Every GPU here is in use by somebody else";
    case cudaErrorNoKernelImageForDevice:
        return "This GPU is older than those that this program was built for";
    default: return std::string("CUDA does not start here: ") + cudaGetErrorString(result);
    }
}

} // namespace flopsmith::cuda
