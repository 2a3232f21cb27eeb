// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/simd/memory_ledger.h"

#include <algorithm>

namespace flopsmith::cpu {

void MemoryLedger::allow(std::size_t more)
{
    const std::size_t held = m_bytes;
    m_limit = held + std::min(more, std::numeric_limits<std::size_t>::max() - held);
    m_maxBytes = held;
    m_heldBytes = held;
    m_refused = false;
}

void MemoryLedger::take(std::size_t bytes, Grant grant)
{
    if (grant == Grant::always) {
        // As if it had been held at the last allow(): which job first needs it is chance.
        m_heldBytes += bytes;
        m_maxBytes += bytes;
        m_limit += std::min(bytes, std::numeric_limits<std::size_t>::max() - m_limit);
        m_bytes += bytes;
        return;
    }
    std::size_t held = m_bytes;
    do {
        const std::size_t limit = m_limit;
        const std::size_t left = limit > held ? limit - held : 0;
        if (bytes > left) {
            m_refused = true;
            throw OutOfMemory(bytes, left);
        }
    } while (!m_bytes.compare_exchange_weak(held, held + bytes));
    std::size_t max = m_maxBytes;
    while (max < held + bytes && !m_maxBytes.compare_exchange_weak(max, held + bytes)) {}
}

MemoryLedger& memoryLedger()
{
    static MemoryLedger ledger;
    return ledger;
}

} // namespace flopsmith::cpu
