// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/cuda_on_host/block.h"

#include <ucontext.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

namespace cuda_on_host {
namespace {

constexpr int kLanes = 32;
constexpr std::size_t kStackBytes = std::size_t{128} << 10;
constexpr std::size_t kSharedBytes = std::size_t{228} << 10;
constexpr unsigned kMaxBlocksX = 0x7fffffffU;
constexpr unsigned kMaxBlocksYz = 65535;

[[noreturn]] void fail(const char* sentence)
{
    std::fprintf(stderr, "cuda_on_host: %s\n", sentence);
    std::abort();
}

/// Where a fiber, or the scheduler, goes on: what the compiler's own jump saves. It is several times
/// as fast as longjmp(), which also looks for handlers to clean up, and does not refuse to change
/// the stack; a shuffle of a warp is 64 jumps.
using Place = std::array<void*, 5>;

enum class Waits { forNothing, forBlock, forWarp, gone };

struct Fiber
{
    std::vector<char> stack = std::vector<char>(kStackBytes);
    ucontext_t context{};
    Place where{};
    bool started = false;
};

struct Thread
{
    ThreadState state;
    Waits waits = Waits::forNothing;
    unsigned mask = 0; ///< of lanes it waits for
    Fiber* fiber = nullptr;
};

struct Warp
{
    std::array<std::uint64_t, kLanes> given{};
    std::array<bool, kLanes> votes{};
};

class Scheduler
{
public:
    static Scheduler& only()
    {
        static Scheduler scheduler;
        return scheduler;
    }

    void setOrder(Order order) { m_order = order; }
    Thread& current() { return m_threads[static_cast<std::size_t>(m_current)]; }
    Warp& warp() { return m_warps[static_cast<std::size_t>(m_current / kLanes)]; }
    int& votes() { return m_votes; }
    void* shared() { return m_shared.data(); }
    bool exists(int lane) const { return m_current / kLanes * kLanes + lane < threads(); }

    void run(const dim3& grid,
             const dim3& block,
             std::size_t sharedBytes,
             const std::function<void()>& kernel)
    {
        if (m_kernel != nullptr) {
            fail("a kernel was launched by a kernel");
        }
        const std::size_t threads = std::size_t{block.x} * block.y * block.z;
        if (threads == 0 || threads > 1024) {
            fail("a block must have 1 to 1024 threads");
        }
        if (grid.x > kMaxBlocksX || grid.y > kMaxBlocksYz || grid.z > kMaxBlocksYz) {
            fail(
                "a grid has more blocks than a GPU takes: 2147483647 along x, 65535 along y and z");
        }
        if (sharedBytes > kSharedBytes) {
            fail("a kernel asks for more shared memory than a GPU has");
        }
        m_kernel = &kernel;
        m_threads.assign(threads, {});
        m_warps.assign((threads + kLanes - 1) / kLanes, {});
        for (unsigned z = 0; z < grid.z; ++z) {
            for (unsigned y = 0; y < grid.y; ++y) {
                for (unsigned x = 0; x < grid.x; ++x) {
                    std::memset(m_shared.data(), 0xff, sharedBytes);
                    runBlock({x, y, z}, grid, block);
                }
            }
        }
        m_kernel = nullptr;
    }

    void waitHere(Waits waits, unsigned mask = 0)
    {
        Thread& thread = current();
        thread.waits = waits;
        thread.mask = mask;
        Fiber& fiber = *thread.fiber;
        if (__builtin_setjmp(fiber.where.data()) == 0) {
            __builtin_longjmp(m_scheduler.data(), 1);
        }
    }

private:
    int threads() const { return static_cast<int>(m_threads.size()); }
    int inOrder(int i) const { return m_order == Order::ascending ? i : threads() - 1 - i; }

    void runBlock(const uint3& index, const dim3& grid, const dim3& block)
    {
        for (int i = 0; i < threads(); ++i) {
            const auto n = static_cast<unsigned>(i);
            m_threads[n] = {
                .state = {.thread = {n % block.x, n / block.x % block.y, n / (block.x * block.y)},
                          .block = index,
                          .blockSize = block,
                          .gridSize = grid,
                          .number = i}};
        }
        m_next = 0;
        m_gone = 0;
        while (m_next < threads()) {
            resume(freeFiber());
        }
        while (m_gone < threads()) {
            release();
            for (int i = 0; i < threads(); ++i) {
                m_current = inOrder(i);
                if (current().waits == Waits::forNothing) {
                    resume(*current().fiber);
                }
            }
        }
    }

    // Lets go on whoever waits for nobody any more.
    void release()
    {
        bool any = releaseWarps();
        const bool all = std::all_of(m_threads.begin(), m_threads.end(), [](const Thread& thread) {
            return thread.waits == Waits::forBlock;
        });
        if (all) {
            for (Thread& thread : m_threads) {
                thread.waits = Waits::forNothing;
            }
            any = true;
        }
        if (!any) {
            fail("threads wait for others that never come: a barrier that not all of the block, or "
                 "a warp's function that not all of its lanes, reach");
        }
    }

    bool releaseWarps()
    {
        bool any = false;
        for (int first = 0; first < threads(); first += kLanes) {
            const int lanes = std::min(kLanes, threads() - first);
            for (int i = 0; i < lanes; ++i) {
                const Thread& asking = m_threads[static_cast<std::size_t>(first + i)];
                if (asking.waits == Waits::forWarp && haveCome(first, lanes, asking.mask)) {
                    letGo(first, lanes, asking.mask);
                    any = true;
                }
            }
        }
        return any;
    }

    bool haveCome(int first, int lanes, unsigned mask) const
    {
        for (int i = 0; i < lanes; ++i) {
            const Thread& thread = m_threads[static_cast<std::size_t>(first + i)];
            const bool wanted = (mask >> static_cast<unsigned>(i) & 1U) != 0;
            if (wanted && (thread.waits != Waits::forWarp || thread.mask != mask)) {
                return false;
            }
        }
        return true;
    }

    void letGo(int first, int lanes, unsigned mask)
    {
        for (int i = 0; i < lanes; ++i) {
            if ((mask >> static_cast<unsigned>(i) & 1U) != 0) {
                m_threads[static_cast<std::size_t>(first + i)].waits = Waits::forNothing;
            }
        }
    }

    Fiber& freeFiber()
    {
        if (m_free.empty()) {
            m_fibers.push_back(std::make_unique<Fiber>());
            m_free.push_back(m_fibers.back().get());
        }
        Fiber* fiber = m_free.back();
        m_free.pop_back();
        return *fiber;
    }

    void resume(Fiber& fiber)
    {
        if (__builtin_setjmp(m_scheduler.data()) != 0) {
            return;
        }
        m_fiber = &fiber;
        if (fiber.started) {
            __builtin_longjmp(fiber.where.data(), 1);
        }
        fiber.started = true;
        getcontext(&fiber.context);
        fiber.context.uc_stack.ss_sp = fiber.stack.data();
        fiber.context.uc_stack.ss_size = fiber.stack.size();
        fiber.context.uc_link = nullptr;
        makecontext(&fiber.context, &Scheduler::fiberMain, 0);
        setcontext(&fiber.context);
    }

    // A fiber takes threads until one of them waits and, when that one has gone, further ones.
    static void fiberMain()
    {
        Scheduler& all = only();
        Fiber* const own = all.m_fiber;
        for (;;) {
            while (all.m_next < all.threads()) {
                all.m_current = all.inOrder(all.m_next++);
                all.current().fiber = own;
                (*all.m_kernel)();
                all.current().waits = Waits::gone;
                ++all.m_gone;
            }
            all.m_free.push_back(own);
            if (__builtin_setjmp(own->where.data()) == 0) {
                __builtin_longjmp(all.m_scheduler.data(), 1);
            }
        }
    }

    Order m_order = Order::ascending;
    const std::function<void()>* m_kernel = nullptr;
    std::vector<Thread> m_threads;
    std::vector<Warp> m_warps;
    int m_votes = 0;
    alignas(128) std::array<unsigned char, kSharedBytes> m_shared{};
    std::vector<std::unique_ptr<Fiber>> m_fibers;
    std::vector<Fiber*> m_free;
    Fiber* m_fiber = nullptr; ///< that runs, when it has just begun
    Place m_scheduler{};
    int m_current = 0;
    int m_next = 0; ///< that has not begun
    int m_gone = 0;
};

} // namespace

const ThreadState& thisThread()
{
    return Scheduler::only().current().state;
}

void runThreadsIn(Order order)
{
    Scheduler::only().setOrder(order);
}

void runBlocks(dim3 grid, dim3 block, std::size_t sharedBytes, const std::function<void()>& kernel)
{
    Scheduler::only().run(grid, block, sharedBytes, kernel);
}

void* dynamicSharedMemory()
{
    return Scheduler::only().shared();
}

void waitForBlock()
{
    Scheduler::only().waitHere(Waits::forBlock);
}

void waitForWarp(unsigned mask)
{
    if ((mask >> static_cast<unsigned>(lane()) & 1U) == 0) {
        fail("a lane calls a warp's function with a mask that leaves it out");
    }
    Scheduler::only().waitHere(Waits::forWarp, mask);
}

std::uint64_t exchange(unsigned mask, std::uint64_t value, int source)
{
    Scheduler& all = Scheduler::only();
    all.warp().given[static_cast<std::size_t>(lane())] = value;
    waitForWarp(mask);
    const bool given = source >= 0 && source < kLanes && all.exists(source)
        && (mask >> static_cast<unsigned>(source) & 1U) != 0;
    const std::uint64_t got = given ? all.warp().given[static_cast<std::size_t>(source)] : value;
    waitForWarp(mask);
    return got;
}

unsigned ballot(unsigned mask, bool value)
{
    Scheduler& all = Scheduler::only();
    all.warp().votes[static_cast<std::size_t>(lane())] = value;
    waitForWarp(mask);
    unsigned bits = 0;
    for (int i = 0; i < kLanes; ++i) {
        const bool counts = (mask >> static_cast<unsigned>(i) & 1U) != 0 && all.exists(i);
        if (counts && all.warp().votes[static_cast<std::size_t>(i)]) {
            bits |= 1U << static_cast<unsigned>(i);
        }
    }
    waitForWarp(mask);
    return bits;
}

int countInBlock(bool value)
{
    Scheduler& all = Scheduler::only();
    waitForBlock();
    if (thisThread().number == 0) {
        all.votes() = 0;
    }
    waitForBlock();
    all.votes() += value ? 1 : 0;
    waitForBlock();
    return all.votes();
}

int lane()
{
    return thisThread().number % kLanes;
}

} // namespace cuda_on_host
