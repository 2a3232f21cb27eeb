// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/budget/machine_roofs.h"

#include <gtest/gtest.h>

namespace flopsmith {
namespace {

MachineRoofs twoThreads()
{
    MachineRoofs roofs{.device = "this CPU", .threads = 2, .how = "a product and a copy"};
    roofs.products = {{NumberFormat::fp32, 1e11, ""}, {NumberFormat::bf16, 3e11, ""}};
    roofs.levels = {{"L1", 1000, 9e11, 1, true},
                    {"L1", 1000, 1e12, 2, true},
                    {"L3", 50'000, 1e11, 2, false},
                    {"memory", 1e9, 6e9, 1, false},
                    {"memory", 1e9, 1e10, 2, false}};
    return roofs;
}

TEST(MachineRoofs, ThePairIsTheSinglePrecisionProductAndTheMemoryOfAllThreads)
{
    EXPECT_EQ(twoThreads().peaks(), (Peaks{1e11, 1e10}));
    EXPECT_FALSE(MachineRoofs{}.peaks().known());
}

TEST(MachineRoofs, CachesAreTheLevelsOfAllThreadsWithoutTheMemory)
{
    const std::vector<MemoryLevel> caches = twoThreads().caches();

    ASSERT_EQ(caches.size(), 2U);
    EXPECT_EQ(caches[0].bytesPerSecond, 1e12);
    EXPECT_EQ(caches[1].name, "L3");
}

TEST(MachineRoofs, BytesLieInTheSmallestLevelThatHoldsThem)
{
    const MachineRoofs roofs = twoThreads();

    EXPECT_EQ(roofs.levelHolding(0.0)->name, "L1");
    EXPECT_EQ(roofs.levelHolding(2000.0)->name, "L1"); // two cores have one each
    EXPECT_EQ(roofs.levelHolding(2001.0)->name, "L3");
    EXPECT_EQ(roofs.levelHolding(50'001.0)->name, "memory");
    EXPECT_EQ(roofs.levelHolding(1e15)->bytesPerSecond, 1e10);
    EXPECT_EQ(MachineRoofs{}.levelHolding(1.0), nullptr);
}

TEST(MachineRoofs, AsADeviceTheyHaveAPeakForEachFormatAndSayThatItWasMeasured)
{
    const Hardware hardware = hardwareOf(twoThreads());

    EXPECT_EQ(hardware.name, "this CPU");
    EXPECT_EQ(hardware.bytesPerSecond.value, 1e10);
    ASSERT_NE(hardware.peak(NumberFormat::bf16), nullptr);
    EXPECT_EQ(hardware.peak(NumberFormat::bf16)->flopsPerSecond, 3e11);
    EXPECT_EQ(hardware.peaks.size(), 2U);
    for (const ComputePeak& peak : hardware.peaks) {
        EXPECT_EQ(peak.source, "measured: a product and a copy");
    }
}

} // namespace
} // namespace flopsmith
