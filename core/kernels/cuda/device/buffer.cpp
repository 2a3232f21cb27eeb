// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/device/buffer.h"

#include "core/base/text.h"

namespace flopsmith::cuda {
namespace {

// For kernels that are loaded at their first launch, and for allocations of the libraries.
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
    // cudaMemcpy from pageable memory may return before the copy is complete.
    check(cudaStreamSynchronize(nullptr), "copy to its memory");
}

void freeOnDevice(MemoryLedger& ledger, void* memory, std::size_t bytes) noexcept
{
    cudaFree(memory); // unchecked: it repeats earlier failures, which were reported
    ledger.remove(bytes);
}

} // namespace flopsmith::cuda
