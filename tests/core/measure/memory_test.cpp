// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/memory.h"

#include "tests/core/measure/fake_root.h"

#include <gtest/gtest.h>

#include <limits>
#include <utility>

namespace flopsmith {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

TEST(AvailableMemory, IsTheKernelsEstimate)
{
    const FakeRoot root;
    root.write("proc/meminfo", "MemTotal:  4096 kB\nMemFree:  1 kB\nMemAvailable:  2048 kB\n");

    EXPECT_EQ(physicalMemoryBytes(root.path()), 4 * kMiB);
    EXPECT_EQ(availableMemoryBytes(root.path()), 2 * kMiB);
}

TEST(AvailableMemory, IsUnknownWithoutTheFiles)
{
    const FakeRoot root;

    EXPECT_FALSE(physicalMemoryBytes(root.path()).has_value());
    EXPECT_FALSE(availableMemoryBytes(root.path()).has_value());
}

TEST(AvailableMemory, IsLimitedByAContainer)
{
    const FakeRoot root;
    root.write("proc/meminfo", "MemAvailable:  1048576 kB\n");
    root.write("proc/self/cgroup", "0::/\n");
    root.write("sys/fs/cgroup/memory.max", "104857600\n");
    root.write("sys/fs/cgroup/memory.current", "41943040\n");
    root.write("sys/fs/cgroup/memory.stat", "anon 5\ninactive_file 10485760\n");

    EXPECT_EQ(availableMemoryBytes(root.path()), 70 * kMiB); // 100 - (40 - 10)
}

TEST(AvailableMemory, TheTightestAncestorCounts)
{
    const FakeRoot root;
    root.write("proc/meminfo", "MemAvailable:  1048576 kB\n");
    root.write("proc/self/cgroup", "0::/batch/job_7/step_0\n");
    root.write("sys/fs/cgroup/batch/job_7/memory.max", "52428800\n");
    root.write("sys/fs/cgroup/batch/job_7/memory.current", "0\n");
    root.write("sys/fs/cgroup/batch/job_7/step_0/memory.max", "max\n");
    root.write("sys/fs/cgroup/batch/job_7/step_0/memory.current", "0\n");

    EXPECT_EQ(availableMemoryBytes(root.path()), 50 * kMiB);
}

TEST(AvailableMemory, UnderstandsControlGroupsOfVersion1)
{
    const FakeRoot root;
    root.write("proc/meminfo", "MemAvailable:  1048576 kB\n");
    root.write("proc/self/cgroup", "5:cpu,cpuacct:/a\n4:memory:/a\n0::/\n");
    root.write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "31457280\n");
    root.write("sys/fs/cgroup/memory/a/memory.usage_in_bytes", "10485760\n");

    EXPECT_EQ(availableMemoryBytes(root.path()), 20 * kMiB);
}

TEST(AvailableMemory, AFullGroupLeavesNothingAndNotLess)
{
    const FakeRoot root;
    root.write("proc/self/cgroup", "0::/\n");
    root.write("sys/fs/cgroup/memory.max", "1000\n");
    root.write("sys/fs/cgroup/memory.current", "2000\n");

    EXPECT_EQ(availableMemoryBytes(root.path()), 0);
}

TEST(AvailableMemory, BrokenFilesCountAsMissing)
{
    const FakeRoot root;
    root.write("proc/meminfo", "MemAvailable: lots\nMemTotal 5\n:::\n");
    root.write("proc/self/cgroup", "nonsense\n\n::::\n");

    EXPECT_FALSE(availableMemoryBytes(root.path()).has_value());
    EXPECT_FALSE(physicalMemoryBytes(root.path()).has_value());
}

TEST(FitsInMemory, UpToTheLastByteBelowTheReserve)
{
    EXPECT_TRUE(fitsInMemory("The job", 900, 1000, 100).ok());
    EXPECT_FALSE(fitsInMemory("The job", 901, 1000, 100).ok());
}

TEST(FitsInMemory, TheRefusalNamesTheBytes)
{
    const Status status = fitsInMemory("The head", Count{3} << 40, 5 * kMiB, kMiB);

    EXPECT_EQ(status.error().message,
              "The head needs 3298534883328 bytes (3.30 TB) of memory, but only 4194304 bytes "
              "(4.19 MB) can be used on this machine; choose fewer tokens or smaller sizes");
}

TEST(FitsInMemory, SizesBeyond64BitsAreRefusedToo)
{
    const Count huge = Count{std::numeric_limits<std::int64_t>::max()} * 1000;

    EXPECT_FALSE(fitsInMemory("The job", huge, std::numeric_limits<std::int64_t>::max()).ok());
}

TEST(FitsInMemory, LessFreeThanTheReserveLeavesNothing)
{
    EXPECT_FALSE(fitsInMemory("The job", 1, 50, 100).ok());
    EXPECT_TRUE(fitsInMemory("The job", 0, 50, 100).ok());
}

TEST(FitsInMemory, RefusesNothingWhereTheSystemDoesNotSay)
{
    EXPECT_TRUE(fitsInMemory("The job", Count{1} << 60, std::nullopt).ok());
}

} // namespace
} // namespace flopsmith
