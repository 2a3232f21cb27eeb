// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/threads/team.h"

#include "core/kernels/cpu/threads/placement.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace flopsmith::cpu {
namespace {

void pause()
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

// As long as it takes to wake a thread (50 to 160 µs in a virtual machine), so that spinning costs
// at most as much again as sleeping at once would have. With more threads than processors, spinning
// may keep the awaited thread from its processor.
constexpr std::chrono::microseconds kSpinTime{150};
constexpr std::chrono::microseconds kCrowdedSpinTime{0};

// Returns as soon as the value differs from `old`.
template <class T>
T changed(const std::atomic<T>& value, T old, std::chrono::microseconds spinTime)
{
    constexpr int kLooks = 64; // at the value for each at the clock
    const auto end = std::chrono::steady_clock::now() + spinTime;
    do {
        for (int i = 0; i < kLooks; ++i) {
            const T now = value.load(std::memory_order_acquire);
            if (now != old) {
                return now;
            }
            pause();
        }
    } while (std::chrono::steady_clock::now() < end);
    value.wait(old, std::memory_order_acquire);
    return value.load(std::memory_order_acquire);
}

class Team
{
public:
    ~Team()
    {
        m_round.store(kEnd, std::memory_order_release);
        m_round.notify_all();
    }

    void add(void (*preparation)())
    {
        const std::lock_guard lock(m_mutex);
        m_preparations.push_back(preparation);
    }

    // On the calling thread.
    void prepare() const
    {
        for (const auto& each : m_preparations) {
            each();
        }
    }

    void grow(int threads)
    {
        const std::lock_guard lock(m_mutex);
        while (static_cast<int>(m_workers.size()) + 1 < threads) {
            const int index = static_cast<int>(m_workers.size()) + 1;
            const std::uint64_t round = m_round.load();
            m_starting.store(1);
            m_workers.emplace_back([this, index, round] {
                prepare();
                m_starting.store(0);
                m_starting.notify_one();
                work(index, round);
            });
            m_starting.wait(1);
            m_placement.workersWereAdded();
        }
    }

    void run(int threads, void (*part)(const void*, int), const void* context)
    {
        grow(threads);
        const std::lock_guard lock(m_mutex);
        m_placement.keepOffCaller(m_workers);
        m_crowded.store(threads > m_placement.processors(), std::memory_order_relaxed);
        m_part = part;
        m_context = context;
        m_pending.store(threads - 1, std::memory_order_relaxed);
        const std::uint64_t number = (m_round.load(std::memory_order_relaxed) >> kCountBits) + 1;
        m_round.store(number << kCountBits | static_cast<std::uint64_t>(threads),
                      std::memory_order_release);
        m_round.notify_all();
        part(context, 0);
        for (int left = m_pending.load(std::memory_order_acquire); left != 0;) {
            left = changed(m_pending, left, spinTime());
        }
    }

private:
    // A round's number, and in the low bits the number of its threads: a worker that is late for a
    // round without it must not read the next one's part while that is being written.
    static constexpr int kCountBits = 16;
    static constexpr std::uint64_t kEnd = ~std::uint64_t{0};

    std::chrono::microseconds spinTime() const
    {
        return m_crowded.load(std::memory_order_relaxed) ? kCrowdedSpinTime : kSpinTime;
    }

    void work(int index, std::uint64_t seen)
    {
        for (;;) {
            seen = changed(m_round, seen, spinTime());
            if (seen == kEnd) {
                return;
            }
            if (index < static_cast<int>(seen & ((1U << kCountBits) - 1))) {
                m_part(m_context, index);
                if (m_pending.fetch_sub(1, std::memory_order_acq_rel) == 1) {
                    m_pending.notify_one();
                }
            }
        }
    }

    std::mutex m_mutex;
    std::vector<void (*)()> m_preparations; ///< complete before any thread starts
    void (*m_part)(const void*, int) = nullptr;
    const void* m_context = nullptr;
    std::atomic<bool> m_crowded{false}; ///< the latest round
    std::atomic<int> m_pending{0};
    std::atomic<int> m_starting{0};
    std::atomic<std::uint64_t> m_round{0};
    Placement m_placement;
    std::vector<std::jthread> m_workers; ///< the last member: it ends first
};

Team& team()
{
    static Team all;
    return all;
}

} // namespace

void startThreads(Threads threads)
{
    team().prepare();
    team().grow(threads.count);
}

bool onThreadStart(void (*prepare)())
{
    team().add(prepare);
    return true;
}

void runTogether(Threads threads, void (*part)(const void* context, int i), const void* context)
{
    team().run(threads.count, part, context);
}

} // namespace flopsmith::cpu
