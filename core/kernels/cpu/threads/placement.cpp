// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/threads/placement.h"

#if defined(__linux__)
#include <pthread.h>
#include <unistd.h>

namespace flopsmith::cpu {

Placement::Placement()
    : m_processors(static_cast<int>(std::thread::hardware_concurrency()))
{
    if (sched_getaffinity(getpid(), sizeof m_usable, &m_usable) == 0) {
        m_processors = CPU_COUNT(&m_usable);
    } else {
        CPU_ZERO(&m_usable); // a machine with more processors than the set has space for
    }
}

void Placement::keepOffCaller(std::span<std::jthread> workers)
{
    const int here = sched_getcpu();
    if (here == m_caller || here < 0) {
        return;
    }
    m_caller = here;
    cpu_set_t others = m_usable;
    CPU_CLR(static_cast<unsigned>(here), &others);
    if (CPU_COUNT(&others) == 0) {
        return;
    }
    for (std::jthread& worker : workers) {
        // If that is refused the worker still runs, wherever the kernel puts it.
        pthread_setaffinity_np(worker.native_handle(), sizeof others, &others);
    }
}

} // namespace flopsmith::cpu

#else

namespace flopsmith::cpu {

Placement::Placement()
    : m_processors(static_cast<int>(std::thread::hardware_concurrency()))
{}

void Placement::keepOffCaller(std::span<std::jthread> /*workers*/) {}

} // namespace flopsmith::cpu

#endif
