// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/interference.h"

#include "tests/core/measure/fake_root.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pthread.h>
#include <sched.h>
#include <time.h>

#include <atomic>
#include <thread>

namespace flopsmith {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

double processorSecondsOfThisThread()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

TEST(ThreadWaits, AreTheSecondNumberOfEachThread)
{
    const FakeRoot root;
    root.write("proc/self/task/17/schedstat", "5000000000 250000000 12\n");
    root.write("proc/self/task/23/schedstat", "1 3 1\n");

    EXPECT_THAT(
        threadWaits(root.path()),
        ElementsAre(Pair("17", DoubleNear(0.25, 1e-15)), Pair("23", DoubleNear(3e-9, 1e-18))));
}

TEST(ThreadWaits, AreThoseOfAnotherProcessToo)
{
    const FakeRoot root;
    root.write("proc/77/task/78/schedstat", "1 500000000 1\n");

    EXPECT_THAT(threadWaits(root.path(), "77"), ElementsAre(Pair("78", DoubleNear(0.5, 1e-15))));
}

TEST(ThreadWaits, LeaveOutWhatCannotBeRead)
{
    const FakeRoot root;
    root.write("proc/self/task/17/schedstat", "nonsense");
    root.write("proc/self/task/18/stat", "18 (a) S");

    EXPECT_THAT(threadWaits(root.path()), IsEmpty());
    EXPECT_THAT(threadWaits(root.path() / "nowhere"), IsEmpty());
}

TEST(StolenTimes, AreTheEighthColumnOfEachProcessor)
{
    const FakeRoot root;
    root.write("proc/stat",
               "cpu  1 2 3 4 5 6 7 800 9 10\n"
               "cpu0 1 2 3 4 5 6 7 300 9 10\n"
               "cpu1 1 2 3 4 5 6 7 500 9 10\n"
               "intr 12 3 4 5 6 7 8 9 10\n");

    const StolenTimes stolen = stolenTimes(root.path());

    const double second = static_cast<double>(sysconf(_SC_CLK_TCK));
    EXPECT_THAT(stolen, ElementsAre(Pair("cpu0", 300 / second), Pair("cpu1", 500 / second)));
}

TEST(StolenTimes, OfAnOldKernelAreUnknown)
{
    const FakeRoot root;
    root.write("proc/stat", "cpu  1 2 3 4\ncpu0 1 2 3 4\n");

    EXPECT_THAT(stolenTimes(root.path()), IsEmpty());
    EXPECT_THAT(stolenTimes(root.path() / "nowhere"), IsEmpty());
}

TEST(LargestGrowth, IsThatOfTheThreadThatLostMost)
{
    EXPECT_EQ(largestGrowth({{"a", 1.0}, {"b", 2.0}}, {{"a", 1.5}, {"b", 4.0}}), 2.0);
    EXPECT_EQ(largestGrowth({{"a", 1.0}}, {{"a", 1.0}, {"new", 0.75}}), 0.75);
    EXPECT_EQ(largestGrowth({{"a", 1.0}, {"ended", 9.0}}, {{"a", 1.25}}), 0.25);
    EXPECT_EQ(largestGrowth({{"a", 1.0}}, {{"a", 0.5}}), 0.0); // the number was given anew
    EXPECT_EQ(largestGrowth({{"a", 1.0}}, {}), 0.0);
}

TEST(WaitingMeter, SaysWhatWasAddedSinceTheLastCall)
{
    const FakeRoot root;
    root.write("proc/self/task/1/schedstat", "0 7000000000 1");
    const InterferenceMeter meter = waitingMeter(root.path());

    EXPECT_EQ(meter(), 0.0);
    root.write("proc/self/task/1/schedstat", "0 7500000000 2");
    EXPECT_NEAR(meter(), 0.5, 1e-9);
    EXPECT_EQ(meter(), 0.0);
}

// Two threads on one processor: whichever way they take turns, one of them has waited for about as
// long as the other has run.
TEST(WaitingMeter, SeesThreadsThatShareAProcessor)
{
    if (threadWaits().empty()) {
        GTEST_SKIP() << "this system does not say how long threads wait for a processor";
    }
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    constexpr double kBusySeconds = 0.05;
    double longest = 0.0;
    std::atomic<int> started{0};
    const auto busy = [&](bool measuring) {
        ASSERT_EQ(pthread_setaffinity_np(pthread_self(), sizeof one, &one), 0);
        const InterferenceMeter meter = waitingMeter();
        meter();
        for (++started; started < 2;) {
            std::this_thread::yield();
        }
        const double start = processorSecondsOfThisThread();
        while (processorSecondsOfThisThread() - start < kBusySeconds) {}
        if (measuring) {
            longest = meter();
        }
    };

    std::thread other(busy, false);
    std::thread self(busy, true);
    other.join();
    self.join();

    EXPECT_GT(longest, 0.3 * kBusySeconds);
}

} // namespace
} // namespace flopsmith
