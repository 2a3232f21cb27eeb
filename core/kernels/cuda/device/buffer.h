// SPDX-License-Identifier: MIT
#pragma once

#include "core/kernels/cuda/device/failure.h"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace flopsmith::cuda {

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
void freeOnDevice(MemoryLedger& ledger, void* memory, std::size_t bytes) noexcept;

/// Returns when the copy is complete, so that any stream may read it.
void copyToDevice(void* to, const void* from, std::size_t bytes);

/// An array in the device's memory, not initialised. The ledger must outlive it.
template <class T>
class DeviceBuffer
{
public:
    DeviceBuffer() = default;
    DeviceBuffer(MemoryLedger& ledger, std::size_t count)
        : m_ledger(&ledger)
        , m_data(static_cast<T*>(allocatedOnDevice(ledger, count * sizeof(T))))
        , m_size(count)
    {}
    /// A buffer with a copy of `values`; returns when the copy is complete.
    DeviceBuffer(MemoryLedger& ledger, std::span<const T> values)
        : DeviceBuffer(ledger, values.size())
    {
        if (!values.empty()) {
            copyToDevice(m_data, values.data(), bytes());
        }
    }
    DeviceBuffer(MemoryLedger& ledger, const std::vector<T>& values)
        : DeviceBuffer(ledger, std::span<const T>(values))
    {}
    DeviceBuffer(DeviceBuffer&& other) noexcept { swap(other); }
    DeviceBuffer& operator=(DeviceBuffer&& other) noexcept
    {
        DeviceBuffer(std::move(other)).swap(*this);
        return *this;
    }
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;
    ~DeviceBuffer()
    {
        if (m_data != nullptr) {
            freeOnDevice(*m_ledger, m_data, bytes());
        }
    }

    T* data() const { return m_data; }
    std::size_t size() const { return m_size; }
    std::size_t bytes() const { return m_size * sizeof(T); }

private:
    void swap(DeviceBuffer& other) noexcept
    {
        std::swap(m_ledger, other.m_ledger);
        std::swap(m_data, other.m_data);
        std::swap(m_size, other.m_size);
    }

    MemoryLedger* m_ledger = nullptr;
    T* m_data = nullptr;
    std::size_t m_size = 0;
};

} // namespace flopsmith::cuda
