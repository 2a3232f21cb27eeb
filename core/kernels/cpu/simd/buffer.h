// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernels/cpu/simd/memory_ledger.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>

namespace flopsmith::cpu {

/// `count` floats rounded up to whole cache lines.
inline std::size_t wholeLines(std::size_t count)
{
    constexpr std::size_t kFloats = 16;
    return (count + kFloats - 1) / kFloats * kFloats;
}

/// Floats at a cache line's start, zeroed so that every page is there before the first run.
/// Throws OutOfMemory or std::bad_alloc; prepared() turns both into an Error.
class Buffer
{
public:
    Buffer() = default;

    explicit Buffer(std::size_t size, Grant grant = Grant::ifAllowed)
        : m_size(size)
        , m_values(LedgerAllocator<float>().allocate(size, grant), Free{size})
    {
        std::fill_n(m_values.get(), size, 0.0F);
    }

    float* data() { return m_values.get(); }
    const float* data() const { return m_values.get(); }
    std::size_t size() const { return m_size; }
    std::size_t bytes() const { return m_size * sizeof(float); }
    std::span<const float> span() const { return {m_values.get(), m_size}; }

private:
    struct Free
    {
        std::size_t size;
        void operator()(float* values) const { LedgerAllocator<float>().deallocate(values, size); }
    };

    std::size_t m_size = 0;
    std::unique_ptr<float, Free> m_values;
};

/// rows·width floats; more than any memory holds where the product would overflow.
inline std::size_t bufferSize(std::int64_t rows, std::int64_t width)
{
    std::size_t size = 0;
    const bool overflows = __builtin_mul_overflow(
        static_cast<std::size_t>(rows), static_cast<std::size_t>(width), &size);
    return overflows ? std::numeric_limits<std::size_t>::max() : size;
}

} // namespace flopsmith::cpu
