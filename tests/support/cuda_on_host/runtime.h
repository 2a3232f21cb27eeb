// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>

// A device that is the host's memory: what stands in for cudart, cuBLAS and cuFFT when the CUDA
// back end is tested on a machine without a GPU. Every function has the toolkit's own declaration;
// those that the back end does not call are missing and would not link.
namespace cuda_on_host {

/// Executes `work` now, or remembers it if the stream is being captured.
void enqueue(cudaStream_t stream, std::function<void()> work);

/// Ends the program unless the pointer is null or points into memory of cudaMalloc().
void expectOnDevice(const void* pointer, const char* who);

/// Memory of the device from now on; less than what is allocated leaves nothing free.
void setDeviceMemory(std::size_t bytes);
inline constexpr std::size_t kUsualMemory = std::size_t{1} << 32;

/// What cudaGetDeviceCount() answers from now on; cudaSuccess by default.
void setDeviceState(cudaError_t result);

std::size_t allocatedBytes();

} // namespace cuda_on_host
