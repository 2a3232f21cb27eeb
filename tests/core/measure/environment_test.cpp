// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/environment.h"

#include "core/measure/system_files.h"
#include "tests/core/measure/fake_root.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace flopsmith {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kX86 = "processor\t: 0\n"
                             "model name\t: Test(R) Processor 9000\n"
                             "flags\t\t: fpu sse4_2 avx2 fma hypervisor avx avx512f amx_tile\n"
                             "\n"
                             "processor\t: 1\n"
                             "model name\t: Test(R) Processor 9000\n"
                             "flags\t\t: fpu\n";

constexpr const char* kArm = "processor\t: 0\n"
                             "BogoMIPS\t: 50.00\n"
                             "Features\t: fp asimd sve bf16\n";

TEST(CpuInfo, TellsModelCoresAndExtensionsFromNarrowToWide)
{
    Environment environment;

    readCpuInfo(kX86, environment);

    EXPECT_EQ(environment.cpuModel, "Test(R) Processor 9000");
    EXPECT_EQ(environment.logicalCores, 2);
    EXPECT_THAT(environment.instructionSets,
                ElementsAre("sse4_2", "avx", "fma", "avx2", "avx512f", "amx_tile"));
    EXPECT_TRUE(environment.virtualMachine);
}

TEST(CpuInfo, OfArmHasOtherNames)
{
    Environment environment;

    readCpuInfo(kArm, environment);

    EXPECT_EQ(environment.cpuModel, "");
    EXPECT_EQ(environment.logicalCores, 1);
    EXPECT_THAT(environment.instructionSets, ElementsAre("asimd", "sve", "bf16"));
    EXPECT_FALSE(environment.virtualMachine);
}

TEST(CpuInfo, EmptyTextLeavesAllUnknown)
{
    Environment environment;

    readCpuInfo("", environment);

    EXPECT_EQ(environment, Environment{});
}

TEST(OperatingSystem, IsThePrettyNameWithoutQuotes)
{
    EXPECT_EQ(operatingSystemName("ID=debian\nPRETTY_NAME=\"Debian 12 (bookworm)\"\n"),
              "Debian 12 (bookworm)");
    EXPECT_EQ(operatingSystemName("PRETTY_NAME=Void"), "Void");
    EXPECT_EQ(operatingSystemName("ID=debian\n"), "");
}

TEST(LoadAverage, IsTheFirstNumber)
{
    EXPECT_EQ(loadAverageOf("0.75 0.50 0.25 1/80 4884\n"), 0.75);
    EXPECT_FALSE(loadAverageOf("").has_value());
    EXPECT_FALSE(loadAverageOf("busy").has_value());
}

TEST(CurrentEnvironment, CollectsWhatTheSystemTells)
{
    const FakeRoot root;
    root.write("proc/cpuinfo", kX86);
    root.write("proc/meminfo", "MemTotal: 2048 kB\nMemAvailable: 1024 kB\n");
    root.write("proc/loadavg", "0.25 0.50 0.75 1/80 4884\n");
    root.write("etc/os-release", "PRETTY_NAME=\"Debian 12\"\n");
    root.write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
    root.write("run/systemd/container", "podman\n");
    root.write("proc/sys/kernel/random/boot_id", "1b9d6bcd-bbfd-4b2d\n");

    const Environment environment = currentEnvironment(3, root.path());

    EXPECT_EQ(environment.threads, 3);
    EXPECT_EQ(environment.logicalCores, 2);
    EXPECT_EQ(environment.memoryBytes, 2048 * 1024);
    EXPECT_EQ(environment.availableBytes, 1024 * 1024);
    EXPECT_EQ(environment.loadAverage, 0.25);
    EXPECT_EQ(environment.operatingSystem, "Debian 12");
    EXPECT_EQ(environment.frequencyGovernor, "performance");
    EXPECT_EQ(environment.container, "podman");
    EXPECT_EQ(environment.hostId, "1b9d6bcd-bbfd-4b2d");
}

TEST(CurrentEnvironment, ReadsTheDataCachesOfTheFirstCore)
{
    const FakeRoot root;
    const std::string cache = "sys/devices/system/cpu/cpu0/cache/index";
    const char* rows[][3] = {{"1", "Data", "48K"},
                             {"1", "Instruction", "32K"},
                             {"2", "Unified", "2048K"},
                             {"3", "Unified", "105M"}};
    for (int i = 0; i < 4; ++i) {
        root.write(cache + std::to_string(i) + "/level", rows[i][0]);
        root.write(cache + std::to_string(i) + "/type", rows[i][1]);
        root.write(cache + std::to_string(i) + "/size", rows[i][2]);
    }

    const Environment environment = currentEnvironment(1, root.path());

    EXPECT_EQ(environment.l1DataBytes, 48 * 1024);
    EXPECT_EQ(environment.l2Bytes, 2048 * 1024);
    EXPECT_EQ(environment.l3Bytes, 105 * 1024 * 1024);
}

TEST(CurrentEnvironment, NamesTheContainerByItsMark)
{
    const FakeRoot root;
    EXPECT_EQ(currentEnvironment(1, root.path()).container, "");

    root.write(".dockerenv", "");
    EXPECT_EQ(currentEnvironment(1, root.path()).container, "docker");

    root.write("run/.containerenv", "");
    EXPECT_EQ(currentEnvironment(1, root.path()).container, "podman");
}

TEST(CurrentEnvironment, MissingFilesLeaveGapsAndNothingElse)
{
    const FakeRoot root;

    const Environment environment = currentEnvironment(1, root.path());

    EXPECT_EQ(environment.cpuModel, "");
    EXPECT_THAT(environment.instructionSets, IsEmpty());
    EXPECT_FALSE(environment.l3Bytes.has_value());
    EXPECT_FALSE(environment.memoryBytes.has_value());
    EXPECT_FALSE(environment.loadAverage.has_value());
    EXPECT_FALSE(environment.virtualMachine);
    EXPECT_NE(environment.compiler, ""); // what the program knows of itself is still there
    EXPECT_NE(environment.kernel, "");
}

TEST(SystemFiles, AFolderInPlaceOfAFileCountsAsMissing)
{
    const FakeRoot root;
    root.write("proc/cpuinfo/inside", "x");

    EXPECT_FALSE(smallFile(root.path() / "proc/cpuinfo").has_value());
    EXPECT_FALSE(firstLine(root.path() / "proc/cpuinfo").has_value());
}

TEST(SystemFiles, BytesComeWithOrWithoutAUnit)
{
    EXPECT_EQ(bytesOf("12"), 12);
    EXPECT_EQ(bytesOf(" 16 kB\n"), 16384);
    EXPECT_EQ(bytesOf("48K"), 49152);
    EXPECT_EQ(bytesOf("3G"), std::int64_t{3} << 30);
    EXPECT_FALSE(bytesOf("max").has_value());
    EXPECT_FALSE(bytesOf("").has_value());
    EXPECT_FALSE(bytesOf("-5").has_value());
    EXPECT_FALSE(bytesOf("99999999999999999999").has_value());
    EXPECT_FALSE(bytesOf("9223372036854775807K").has_value());
}

TEST(SystemFiles, ValuesBelongToTheWholeKeyOnly)
{
    const std::string text = "MemTotalHuge: 1\nMemTotal:\t2\nMemTotal: 3";

    EXPECT_EQ(valueOf(text, "MemTotal", ':'), "2");
    EXPECT_FALSE(valueOf(text, "Mem", ':').has_value());
    EXPECT_FALSE(valueOf("", "Mem", ':').has_value());
}

} // namespace
} // namespace flopsmith
