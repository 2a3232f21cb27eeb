// SPDX-License-Identifier: MIT
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <cufft.h>

#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

// Failures of calls to CUDA's libraries. They are thrown, because any of hundreds of calls may fail
// and no caller in between can handle it. prepare() and Device::open() turn exceptions into an
// Error; callers of run() catch them themselves.
namespace flopsmith::cuda {

/// A call failed; what() is a sentence for the person at the screen.
class DeviceFailure : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

/// The device has less free memory than requested. A std::bad_alloc, so that handlers of
/// out-of-memory catch it too; what() is a sentence with both sizes.
class DeviceOutOfMemory : public std::bad_alloc
{
public:
    explicit DeviceOutOfMemory(std::string sentence)
        : m_sentence(std::move(sentence))
    {}
    const char* what() const noexcept override { return m_sentence.c_str(); }

private:
    std::string m_sentence;
};

/// Throws unless the call succeeded. `what` completes "could not …": "copy the weights".
void check(cudaError_t result, std::string_view what);
void check(cublasStatus_t result, std::string_view what);
void check(cufftResult result, std::string_view what);

/// Why no GPU can be used, as a sentence: no driver, too old a driver, no device.
std::string reasonOf(cudaError_t result);

} // namespace flopsmith::cuda
