// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernels/cpu/threads/parallel.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
#endif

namespace flopsmith::cpu {
namespace {

TEST(OnThreads, RunsEveryPartOnceInEveryRound)
{
    for (const int threads : {1, 2, 5, 3, 2}) {
        std::vector<int> runs(5);
        for (int round = 0; round < 200; ++round) {
            onThreads({threads}, [&](int part) { ++runs[static_cast<std::size_t>(part)]; });
        }
        for (int part = 0; part < 5; ++part) {
            EXPECT_EQ(runs[static_cast<std::size_t>(part)], part < threads ? 200 : 0);
        }
    }
}

TEST(OnThreads, ServesSeveralCallersOneAfterTheOther)
{
    std::vector<int> sums(3);
    {
        std::vector<std::jthread> callers;
        for (int& sum : sums) {
            callers.emplace_back([&sum] {
                for (int round = 0; round < 100; ++round) {
                    std::atomic<int> parts{0};
                    onThreads({3}, [&](int part) { parts += part + 1; });
                    sum += parts;
                }
            });
        }
    }
    EXPECT_EQ(sums, (std::vector<int>{600, 600, 600}));
}

#if defined(__linux__)
// The calling thread may run on this processor alone.
void stayOn(int processor)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<unsigned>(processor), &one);
    ASSERT_EQ(pthread_setaffinity_np(pthread_self(), sizeof one, &one), 0);
}

std::vector<int> usableProcessors()
{
    cpu_set_t usable;
    CPU_ZERO(&usable);
    sched_getaffinity(getpid(), sizeof usable, &usable);
    std::vector<int> all;
    for (int i = 0; i < CPU_SETSIZE; ++i) {
        if (CPU_ISSET(static_cast<unsigned>(i), &usable)) {
            all.push_back(i);
        }
    }
    return all;
}

// Rests between rounds, because it is sleeping threads that are woken beside their caller.
TEST(OnThreads, KeepsItsThreadsOffTheCallersProcessor)
{
    const std::vector<int> processors = usableProcessors();
    if (processors.size() < 2) {
        GTEST_SKIP() << "one processor has room for nobody else";
    }
    std::jthread caller([&] {
        for (const int own : {processors[0], processors[1], processors[0]}) {
            stayOn(own);
            for (int round = 0; round < 20; ++round) {
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
                int other = -1;
                onThreads({2}, [&](int part) {
                    if (part == 1) {
                        other = sched_getcpu();
                    }
                });
                EXPECT_NE(other, own);
            }
        }
    });
}
#endif

TEST(ShareOut, HandsOutEveryTaskOnce)
{
    std::vector<int> runs(1000);
    shareOut({4}, 1000, [&](std::int64_t i, int thread) {
        EXPECT_LT(thread, 4);
        ++runs[static_cast<std::size_t>(i)];
    });
    EXPECT_EQ(runs, std::vector<int>(1000, 1));
}

TEST(PartOf, CoversTheWholeWithoutOverlap)
{
    for (const std::int64_t count : {0, 1, 63, 64, 65, 1000}) {
        for (const int parts : {1, 2, 3, 7}) {
            std::int64_t next = 0;
            for (int part = 0; part < parts; ++part) {
                const Range range = partOf(count, parts, part, 64);
                EXPECT_EQ(range.first, next);
                EXPECT_GE(range.size(), 0);
                next = range.last;
            }
            EXPECT_EQ(next, count);
        }
    }
}

TEST(Worthwhile, WakesNoThreadForALittleWork)
{
    EXPECT_EQ(threadsFor({8}, 10).count, 1);
    EXPECT_EQ(threadsFor({8}, std::int64_t{1} << 40).count, 8);
}

} // namespace
} // namespace flopsmith::cpu
