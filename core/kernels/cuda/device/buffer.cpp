// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/device/buffer.h"

#include "core/base/text.h"

namespace flopsmith::cuda {
namespace {

// Kernels that are loaded when they are first launched, and what the libraries take unasked.
constexpr std::size_t kReserveBytes = std::size_t{64} << 20;

} // namespace

void* allocatedOnDevice(MemoryLedger& ledger, std::size_t bytes)
{
    if (bytes == 0) {
        return nullptr;
    }
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "tell how much memory is free");
    if (bytes > free || free - bytes < kReserveBytes) {
        throw DeviceOutOfMemory("The GPU has " + bytesText(static_cast<double>(free)) + " of "
                                + bytesText(static_cast<double>(total)) + " free, but "
                                + bytesText(static_cast<double>(bytes))
                                + " more are needed; fewer tokens or a smaller d_model would do");
    }
    void* memory = nullptr;
    check(cudaMalloc(&memory, bytes), "hold " + bytesText(static_cast<double>(bytes)) + " more");
    ledger.add(bytes);
    return memory;
}

void copyToDevice(void* to, const void* from, std::size_t bytes)
{
    check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "copy to its memory");
    // A copy of pageable memory may return before its last part has arrived.
    check(cudaStreamSynchronize(nullptr), "copy to its memory");
}

void freeOnDevice(MemoryLedger& ledger, void* memory, std::size_t bytes) noexcept
{
    cudaFree(memory); // an earlier failure of the device shows again here: it was reported then
    ledger.remove(bytes);
}

} // namespace flopsmith::cuda
