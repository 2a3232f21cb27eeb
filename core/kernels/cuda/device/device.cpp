// SPDX-License-Identifier: MIT
#include "core/kernels/cuda/device/device.h"

#include "core/base/text.h"

#include <cufft.h>

#include <utility>

namespace flopsmith::cuda {
namespace {

// For kernels that are loaded at their first launch, and for allocations of the libraries.
constexpr std::size_t kReserveBytes = std::size_t{64} << 20;

// As cuBLAS recommends for Hopper. Without a workspace of ours it would allocate during graph
// capture.
constexpr std::size_t kBlasWorkspaceBytes = std::size_t{32} << 20;

// CUDA counts 13020 for 13.2.
std::string cudaVersion(int number)
{
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

// Of a library, whose property(part, &number) tells a part of it.
template <class Property>
std::string versionOf(const Property& property)
{
    std::string text;
    for (const libraryPropertyType part : {MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL}) {
        int number = 0;
        check(property(part, &number), "tell the version of its libraries");
        text += (text.empty() ? "" : ".") + std::to_string(number);
    }
    return text;
}

DeviceFacts factsOfFirst()
{
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, 0), "describe itself");
    int driver = 0;
    int runtime = 0;
    check(cudaDriverGetVersion(&driver), "tell the driver's version");
    check(cudaRuntimeGetVersion(&runtime), "tell the runtime's version");
    return {.name = properties.name,
            .multiprocessors = properties.multiProcessorCount,
            .major = properties.major,
            .minor = properties.minor,
            .memoryBytes = properties.totalGlobalMem,
            .l2Bytes = static_cast<std::size_t>(properties.l2CacheSize),
            .threadsPerMultiprocessor = properties.maxThreadsPerMultiProcessor,
            .sharedBytesPerBlock = properties.sharedMemPerBlockOptin,
            .driver = cudaVersion(driver),
            .runtime = cudaVersion(runtime),
            .cublas = versionOf(&cublasGetProperty),
            .cufft = versionOf(&cufftGetProperty)};
}

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

Result<DeviceFacts> deviceFacts()
{
    int count = 0;
    if (const cudaError_t result = cudaGetDeviceCount(&count); result != cudaSuccess) {
        cudaGetLastError();
        return Error{reasonOf(result)};
    }
    if (count == 0) {
        return Error{reasonOf(cudaErrorNoDevice)};
    }
    try {
        return factsOfFirst();
    } catch (const DeviceFailure& failure) {
        return Error{failure.what()};
    }
}

Result<std::unique_ptr<Device>> Device::open(ProductPrecision precision)
{
    Result<DeviceFacts> facts = deviceFacts();
    if (!facts) {
        return facts.error();
    }
    try {
        return std::unique_ptr<Device>(new Device(std::move(*facts), precision));
    } catch (const DeviceFailure& failure) {
        return Error{failure.what()};
    } catch (const DeviceOutOfMemory& shortage) {
        return Error{shortage.what()};
    }
}

Device::Device(DeviceFacts facts, ProductPrecision precision)
    : m_facts(std::move(facts))
    , m_precision(precision)
{
    check(cudaSetDevice(0), "be chosen");
    check(cudaStreamCreateWithFlags(&m_stream, cudaStreamNonBlocking), "make a stream");
    check(cublasCreate(&m_blas), "start cuBLAS");
    check(cublasSetStream(m_blas, m_stream), "start cuBLAS");
    m_blasWorkspace = DeviceBuffer<std::byte>(m_memory, kBlasWorkspaceBytes);
    check(cublasSetWorkspace(m_blas, m_blasWorkspace.data(), m_blasWorkspace.bytes()),
          "give cuBLAS its workspace");
}

Device::~Device()
{
    if (m_stream != nullptr) {
        cudaStreamSynchronize(m_stream); // enqueued kernels may still use buffers
    }
    if (m_blas != nullptr) {
        cublasDestroy(m_blas);
    }
    if (m_stream != nullptr) {
        cudaStreamDestroy(m_stream);
    }
}

void Device::wait() const
{
    check(cudaStreamSynchronize(m_stream), "finish what it was given");
}

void copyToHost(const Device& device, const float* from, std::span<float> to)
{
    if (!to.empty()) {
        check(cudaMemcpyAsync(
                  to.data(), from, to.size_bytes(), cudaMemcpyDeviceToHost, device.stream()),
              "copy its results");
        device.wait();
    }
}

} // namespace flopsmith::cuda
