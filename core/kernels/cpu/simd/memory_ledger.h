// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <limits>
#include <new>
#include <vector>

namespace flopsmith::cpu {

/// Thrown when a buffer would exceed the ledger's limit.
class OutOfMemory : public std::bad_alloc
{
public:
    OutOfMemory(std::size_t wantedBytes, std::size_t leftBytes)
        : m_wantedBytes(wantedBytes)
        , m_leftBytes(leftBytes)
    {}

    const char* what() const noexcept override { return "more memory than the ledger allows"; }
    std::size_t wantedBytes() const { return m_wantedBytes; }
    std::size_t leftBytes() const { return m_leftBytes; }

private:
    std::size_t m_wantedBytes;
    std::size_t m_leftBytes;
};

/// Whether the ledger may refuse. A thread's scratch is always granted: it is small, and an
/// exception in a thread of the pool would end the program.
enum class Grant { ifAllowed, always };

/// The bytes that kernels' buffers hold, and their limit. Every buffer asks before it allocates,
/// since Linux grants memory that it does not have. Any thread may call.
class MemoryLedger
{
public:
    std::size_t bytes() const { return m_bytes; }
    std::size_t maxBytes() const { return m_maxBytes; } ///< since the last allow()
    /// The most that was taken since the last allow(), without the scratch of threads.
    std::size_t maxTakenBytes() const { return m_maxBytes - m_heldBytes; }
    bool refused() const { return m_refused; } ///< since the last allow()

    /// From now on buffers may take `more` bytes in addition to the present ones.
    void allow(std::size_t more = std::numeric_limits<std::size_t>::max());

    /// Throws OutOfMemory if it refuses; then nothing is taken.
    void take(std::size_t bytes, Grant grant = Grant::ifAllowed);
    void release(std::size_t bytes) noexcept { m_bytes -= bytes; }

private:
    std::atomic<std::size_t> m_bytes{0};
    std::atomic<std::size_t> m_maxBytes{0};
    std::atomic<std::size_t> m_heldBytes{0}; ///< at the last allow()
    std::atomic<std::size_t> m_limit{std::numeric_limits<std::size_t>::max()};
    std::atomic<bool> m_refused{false};
};

/// The one of this process.
MemoryLedger& memoryLedger();

/// For containers of more than a few elements: asks the ledger; aligned to a cache line.
template <class T>
class LedgerAllocator
{
public:
    using value_type = T;

    LedgerAllocator() = default;
    template <class Other>
    LedgerAllocator(const LedgerAllocator<Other>& /*other*/) // NOLINT(google-explicit-constructor)
    {}

    T* allocate(std::size_t count, Grant grant = Grant::ifAllowed)
    {
        if (count > std::numeric_limits<std::size_t>::max() / sizeof(T)) {
            throw std::bad_array_new_length();
        }
        const std::size_t bytes = count * sizeof(T);
        memoryLedger().take(bytes, grant);
        try {
            return static_cast<T*>(::operator new(bytes, kAlignment));
        } catch (...) {
            memoryLedger().release(bytes);
            throw;
        }
    }

    void deallocate(T* values, std::size_t count) noexcept
    {
        memoryLedger().release(count * sizeof(T));
        ::operator delete(values, kAlignment);
    }

    bool operator==(const LedgerAllocator& /*other*/) const { return true; }

private:
    static constexpr std::align_val_t kAlignment{64};
};

template <class T>
using LedgerVector = std::vector<T, LedgerAllocator<T>>;

} // namespace flopsmith::cpu
