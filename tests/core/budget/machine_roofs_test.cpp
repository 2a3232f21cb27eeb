// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/budget/machine_roofs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

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

TEST(MachineRoofs, AWorkingSetInsideACacheIsBoundByThatCache)
{
    const MachineRoofs roofs = twoThreads();
    const auto level = [&roofs](double bytes, const RoofConditions& as) {
        const RoofBound bound = lowerBound(0.0, bytes, roofs, as);
        EXPECT_EQ(bound.binding, Binding::memory);
        return std::pair(bound.level, std::round(bytes / bound.seconds));
    };

    EXPECT_EQ(level(2000.0, {}), std::pair(std::string("L1"), 1e12));
    EXPECT_EQ(level(2001.0, {}), std::pair(std::string("L3"), 1e11));
    EXPECT_EQ(level(50'001.0, {}), std::pair(std::string("memory"), 1e10));
    EXPECT_EQ(level(10.0, {.coldCaches = true}), std::pair(std::string("memory"), 1e10));
}

TEST(MachineRoofs, ABoundNeverRisesAsCachesGetFasterAndIsNeverAboveThatOfTheMemory)
{
    for (const double bytes : {1.0, 1999.0, 2001.0, 40'000.0, 1e6}) {
        double before = lowerBound(0.0, bytes, twoThreads(), {.coldCaches = true}).seconds;
        for (const double factor : {1e-6, 0.01, 0.1, 1.0, 3.0, 1e3}) {
            MachineRoofs roofs = twoThreads();
            for (MemoryLevel& level : roofs.levels) {
                level.bytesPerSecond *= level.name == "memory" ? 1.0 : factor;
            }
            const double now = lowerBound(0.0, bytes, roofs).seconds;
            EXPECT_LE(now, before) << bytes << " bytes, caches " << factor << " times as fast";
            before = now;
        }
    }
}

TEST(MachineRoofs, ABoundStandsOnThePeakOfItsFormatAndIsUnknownWithoutIt)
{
    const MachineRoofs roofs = twoThreads();

    EXPECT_EQ(lowerBound(3e11, 1.0, roofs, {.format = NumberFormat::bf16}),
              (RoofBound{1.0, Binding::compute, "L1"}));
    EXPECT_EQ(lowerBound(3e11, 1.0, roofs).seconds, 3.0);
    EXPECT_EQ(lowerBound(3e11, 1.0, roofs, {.format = NumberFormat::tf32}), RoofBound{});
    EXPECT_EQ(lowerBound(1.0, 1.0, MachineRoofs{}), RoofBound{});
    const MachineRoofs bare = roofsOf({1e11, 1e10});
    EXPECT_EQ(lowerBound(0.0, 10.0, bare), (RoofBound{1e-9, Binding::memory, "memory"}));
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
