// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/kernels/cuda/device/failure.h"

#include <cublas_v2.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace flopsmith::cuda {

using Index = std::int64_t;

/// Counts the bytes that buffers with this ledger hold on the device.
class MemoryLedger
{
public:
    std::size_t bytes() const { return m_bytes; }
    std::size_t maxBytes() const { return m_maxBytes; }

    void add(std::size_t bytes)
    {
        m_bytes += bytes;
        m_maxBytes = m_bytes > m_maxBytes ? m_bytes : m_maxBytes;
    }
    void remove(std::size_t bytes) { m_bytes -= bytes; }

private:
    std::size_t m_bytes = 0;
    std::size_t m_maxBytes = 0;
};

/// Checks the free memory before it allocates and leaves a reserve to driver and libraries. Throws
/// DeviceOutOfMemory with both sizes; null for 0 bytes. Aligned to at least 16 bytes.
void* allocatedOnDevice(MemoryLedger& ledger, std::size_t bytes);

/// Returns when the copy is complete, so that any stream may read it.
void copyToDevice(void* to, const void* from, std::size_t bytes);

/// An array in the device's memory, not initialised. The ledger must outlive it.
template <class T>
class DeviceBuffer
{
public:
    DeviceBuffer() = default;
    DeviceBuffer(MemoryLedger& ledger, std::size_t count)
        : m_data(static_cast<T*>(allocatedOnDevice(ledger, count * sizeof(T))),
                 {&ledger, count * sizeof(T)})
        , m_size(count)
    {}
    /// A buffer with a copy of `values`; returns when the copy is complete.
    DeviceBuffer(MemoryLedger& ledger, std::span<const T> values)
        : DeviceBuffer(ledger, values.size())
    {
        if (!values.empty()) {
            copyToDevice(data(), values.data(), bytes());
        }
    }

    T* data() const { return m_data.get(); }
    std::size_t size() const { return m_size; }
    std::size_t bytes() const { return m_size * sizeof(T); }

private:
    struct Free
    {
        MemoryLedger* ledger = nullptr;
        std::size_t bytes = 0;

        void operator()(T* memory) const
        {
            cudaFree(memory); // unchecked: it repeats earlier failures, which were reported
            ledger->remove(bytes);
        }
    };

    std::unique_ptr<T, Free> m_data;
    std::size_t m_size = 0;
};

/// Values on the host, if there are some: dy of a backward pass.
using OptionalValues = std::optional<std::span<const float>>;

/// Precision of matrix products. Everything else is always float32.
///   float32   operands and sums in single precision
///   tf32      operands rounded to 10 bits of mantissa by the tensor cores, sums in float32
///   bfloat16  operands rounded to bfloat16 (8 bits of mantissa), sums in float32
enum class ProductPrecision { float32, tf32, bfloat16 };

/// Properties of a GPU and its software.
struct DeviceFacts
{
    std::string name; ///< "NVIDIA H100 80GB HBM3"
    int multiprocessors = 0;
    int major = 0; ///< of the compute capability
    int minor = 0;
    std::size_t memoryBytes = 0;
    std::size_t l2Bytes = 0;
    int threadsPerMultiprocessor = 0;
    std::size_t sharedBytesPerBlock = 0; ///< maximum with opt-in
    std::string driver; ///< CUDA version that the driver supports: "13.0"
    std::string runtime; ///< "13.0"
    std::string cublas;
    std::string cufft;
};

/// The first GPU's, or why there is none.
Result<DeviceFacts> deviceFacts();

/// The first GPU with one stream, a cuBLAS handle and its workspace, and a memory ledger. Must
/// outlive everything made with it. Not thread-safe.
class Device
{
public:
    /// An Error with the reason when there is no driver, no GPU, or no memory left on it.
    static Result<std::unique_ptr<Device>> open(ProductPrecision precision);

    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    const DeviceFacts& facts() const { return m_facts; }
    ProductPrecision precision() const { return m_precision; }
    cudaStream_t stream() const { return m_stream; }
    cublasHandle_t blas() const { return m_blas; }
    MemoryLedger& memory() const { return m_memory; }

    /// Blocks until everything enqueued so far is done; throws if any of it failed.
    void wait() const;

private:
    Device(DeviceFacts facts, ProductPrecision precision);

    DeviceFacts m_facts;
    ProductPrecision m_precision;
    mutable MemoryLedger m_memory; ///< bookkeeping, not the device's state
    cudaStream_t m_stream = nullptr;
    cublasHandle_t m_blas = nullptr;
    DeviceBuffer<std::byte> m_blasWorkspace;
};

/// Waits for everything enqueued so far and copies to the host.
void copyToHost(const Device& device, const float* from, std::span<float> to);

} // namespace flopsmith::cuda
